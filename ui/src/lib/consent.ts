// The consent to technically necessary cookies, itself a cookie: the only one that scripts of this application write.

const hundredYearsSeconds = 100 * 365 * 24 * 60 * 60;
const value = "necessary";

/** Over https all cookies have this prefix, which browsers protect. */
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

/** Returns whether consent was given, and renews it: browsers keep a cookie for 400 days at most. */
export function renewConsent(): boolean {
  const given = hasConsent();
  if (given) storeConsent();
  return given;
}
