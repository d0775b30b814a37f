// The e-ID of an operator of drones: three letters and 13 characters, for example FIN87astrdge12k8. A form of the
// authority adds three secret ones, FIN87astrdge12k8-xyz, that nobody but the pilot's drone needs. They are cut while
// they are typed, so that they get into no draft and to no server.

/** The states of EASA, whose codes stand in front of numbers. */
const countries = (
  "AUT BEL BGR HRV CYP CZE DNK EST FIN FRA DEU GRC HUN ISL IRL ITA LVA LIE LTU LUX MLT NLD NOR " +
  "POL PRT ROU SVK SVN ESP SWE CHE"
).split(" ");

/** A word as long as an e-ID, with what may be its secret end behind a dash or without one. */
const withEnd =
  /(?<![a-z0-9])([a-z0-9]{16})(?:([-_\u2010-\u2015\u2212])([a-z0-9]{1,3})|([a-z0-9]{3}))(?![a-z0-9])/gi;

/** The text without the secret end of any e-ID in it. */
export function withoutSecretEnd(text: string): string {
  return text.replace(withEnd, (whole, number: string, dash = "", behindDash = "", joined = "") => {
    if (!countries.includes(number.slice(0, 3).toUpperCase())) return whole;
    const isFitting = fits(number, behindDash + joined);
    // Without a dash it may be any number, and without a digit any word.
    if (!isFitting && (dash === "" || !/\d/.test(number))) return whole;
    // The dash stays until the end is complete: by it the next typed character is known as one of the end.
    return behindDash.length === 1 || behindDash.length === 2 ? number + dash : number;
  });
}

/** Whether the last character of the number checks the others and the secret end: Luhn's sum modulo 36. */
function fits(number: string, end: string): boolean {
  if (end.length !== 3) return false;
  const digits = [...(number.slice(3, 15) + end)].map((digit) => Number.parseInt(digit, 36));
  const sum = digits.toReversed().reduce((before, digit, place) => {
    const product = digit * (2 - (place % 2));
    return before + Math.floor(product / 36) + (product % 36);
  }, 0);
  return Number.parseInt(number.slice(15), 36) === (36 - (sum % 36)) % 36;
}

/** The file, whose name has no secret end. */
export function withoutSecretName(file: File): File {
  const { type, lastModified } = file;
  const name = withoutSecretEnd(file.name);
  return name === file.name ? file : new File([file], name, { type, lastModified });
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
