// Storage that the browser forbids is replaced by memory, before anything uses it: the application works, and forgets
// with the page.

/** The values are properties, as those of the browser's own storage are. */
class MemoryStorage {
  getItem(key: string): string | null {
    return Object.getOwnPropertyDescriptor(this, key)?.value ?? null;
  }
  setItem(key: string, value: string): void {
    Object.assign(this, { [key]: String(value) });
  }
  removeItem(key: string): void {
    Reflect.deleteProperty(this, key);
  }
}

export function replaceForbiddenStorage(): void {
  for (const name of ["localStorage", "sessionStorage"] as const) {
    try {
      window[name].getItem("");
    } catch {
      Object.defineProperty(window, name, { configurable: true, value: new MemoryStorage() });
    }
  }
}

replaceForbiddenStorage();
