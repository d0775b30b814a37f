// The e-ID of an operator of drones: three letters and 13 characters, for example FIN87astrdge12k8. A form of the
// authority adds three secret ones, FIN87astrdge12k8-xyz, that nobody but the pilot's drone needs. They are cut while
// they are typed, so that they get into no draft and to no server.

/** An e-ID with at least one character of a secret end; a long word has no digit. */
const withEnd = /\b([a-z]{3}(?=[a-z]*\d)[a-z0-9]{13})[-–—]?[a-z0-9]{1,3}(?![a-z0-9])/gi;

/** The text without the secret end of any e-ID in it. */
export function withoutSecretEnd(text: string): string {
  return text.replace(withEnd, "$1");
}

/** The public part of what is typed as an e-ID, as it is written. */
export function publicPart(typed: string): string {
  const characters = typed.replace(/[\s–—-]/g, "");
  return characters.slice(0, 3).toUpperCase() + characters.slice(3, 16).toLowerCase();
}

/** Whether what is typed as an e-ID has a secret end. */
export function hasSecretEnd(typed: string): boolean {
  return typed.replace(/[\s–—-]/g, "").length > 16;
}
