// The certificate of the server's certificate authority, and whether this device trusts it.
import { useQuery } from "@tanstack/react-query";
import { basePath } from "../urls";

/** The authority's certificate, for devices that should trust it. Not in urls.ts: not part of the first load. */
export const authorityUrl = `${basePath}/fluglog-ca.crt`;

/** This server over https. */
export const secureUrl = `https://${window.location.host}${basePath}/`;

/** SHA-256 of the certificate as systems show it; null if the server has no authority. */
export function useFingerprint() {
  return useQuery({
    queryKey: ["authority"],
    queryFn: async () => {
      const answer = await fetch(authorityUrl, { method: "HEAD", cache: "no-store" });
      return answer.ok ? fingerprintOf(answer.headers.get("Repr-Digest")) : null;
    },
  });
}

/** `sha-256=:base64:` (RFC 9530) as `AB:CD:…`. */
export function fingerprintOf(digest: string | null): string | null {
  const base64 = /sha-256=:([^:]+):/.exec(digest ?? "")?.[1];
  if (!base64) return null;
  const bytes = [...atob(base64)].map((letter) => letter.charCodeAt(0).toString(16).padStart(2, "0"));
  return bytes.join(":").toUpperCase();
}

/** Whether this device trusts the certificate. An untrusted one looks like no answer: a page can't tell the reason. */
export async function isTrusted(): Promise<boolean> {
  return fetch(`${secureUrl}health`, { mode: "no-cors", cache: "no-store" }).then(
    () => true,
    () => false,
  );
}
