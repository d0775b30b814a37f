// The consent is a cookie of the whole site. Its lifetime and the effect of https are for the browser tests.
import { expect, test } from "vitest";
import { hasConsent, renewConsent, storeConsent } from "./consent";

test("consent isn't given until it is stored, and renewing never gives it", () => {
  expect(renewConsent()).toBe(false);
  expect(hasConsent()).toBe(false);
  storeConsent();
  expect(hasConsent()).toBe(true);
  expect(renewConsent()).toBe(true);
  expect(document.cookie).toContain("cookieConsent=necessary");
});
