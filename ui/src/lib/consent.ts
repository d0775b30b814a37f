// The consent to the cookies that are technically necessary, itself a cookie: the only one that scripts of this
// application write. Knows nothing of who asks for it.

const hundredYearsSeconds = 100 * 365 * 24 * 60 * 60;
const value = "necessary";

/** Over https the browser guards a cookie with this prefix, and all of ours have it. */
function cookieName(): string {
  return location.protocol === "https:" ? "__Host-cookieConsent" : "cookieConsent";
}

export function hasConsent(): boolean {
  return document.cookie.split("; ").includes(`${cookieName()}=${value}`);
}

export function storeConsent(): void {
  const secure = location.protocol === "https:" ? "; Secure" : "";
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API needs https, which a server in the LAN hasn't
  document.cookie = `${cookieName()}=${value}; Path=/; Max-Age=${hundredYearsSeconds}; SameSite=Strict${secure}`;
}

/** Whether it was given; if so, it counts from now on again, because browsers keep a cookie for 400 days at most. */
export function renewConsent(): boolean {
  const given = hasConsent();
  if (given) storeConsent();
  return given;
}
