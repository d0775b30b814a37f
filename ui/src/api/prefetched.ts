// Answers that ask.js requested while the application was loading. Each is taken once, and all are dropped at the first
// other call, because that one may change them. Independent of single calls.
declare global {
  interface Window {
    fluglogAsked?: Map<string, Promise<Response>>;
  }
}

export function takePrefetched(url: string, { body }: RequestInit): Promise<Response> | undefined {
  const prefetched = window.fluglogAsked;
  const key = body instanceof URLSearchParams ? `${url}?${body}` : url;
  const answer = prefetched?.get(key);
  if (answer) prefetched?.delete(key);
  else prefetched?.clear();
  return answer;
}
