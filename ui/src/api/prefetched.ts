// Answers that ask.js requested while the application was loading. Each is taken once, and all are dropped at the first
// other call, because that one may change them. Independent of single calls.
declare global {
  interface Window {
    fluglogAsked?: Map<string, Promise<Response>>;
  }
}

export function takePrefetched(url: string, { body }: RequestInit): Promise<Response> | undefined {
  const asked = window.fluglogAsked;
  const key = body instanceof URLSearchParams ? `${url}?${body}` : url;
  const answer = asked?.get(key);
  if (answer) asked?.delete(key);
  else asked?.clear();
  return answer;
}
