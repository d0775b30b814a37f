// Answers that ask.js requested while the application was loading. Each is taken once, and all are dropped at the first
// call that isn't a question, because a write may change them. Independent of single calls.
declare global {
  interface Window {
    fluglogAsked?: Map<string, Promise<Response>>;
  }
}

/** Milliseconds after which an answer that no screen took is too old. */
const maxAgeMs = 30_000;

/** Calls that change nothing. */
const isQuestion = /\/Get\w*$/;

export function takePrefetched(url: string, { body }: RequestInit): Promise<Response> | undefined {
  const prefetched = window.fluglogAsked;
  if (performance.now() > maxAgeMs) prefetched?.clear();
  const key = body instanceof URLSearchParams ? `${url}?${body}` : url;
  const answer = prefetched?.get(key);
  if (answer) prefetched?.delete(key);
  else if (!isQuestion.test(url)) prefetched?.clear();
  return answer;
}
