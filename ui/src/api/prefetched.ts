// The answers that ask.js has asked for while the application was being loaded: each is taken once, until the first
// call that isn't among them, because that one may change what they say. Knows no calls.
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
