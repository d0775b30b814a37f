// Waiting for a condition.

const patienceMs = 60_000;

/** Repeats until the answer is neither false nor undefined. */
export async function until<T>(what: string, ask: () => T | Promise<T>): Promise<NonNullable<T>> {
  const end = Date.now() + patienceMs;
  for (;;) {
    const answer = await ask();
    if (answer) return answer;
    if (Date.now() > end) throw new Error(`After ${patienceMs / 1000} s it is still not so that ${what}.`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
