// The certificate of the server's own authority, and whether this device trusts it.
import { useQuery } from "@tanstack/react-query";
import { basePath } from "../urls";

/** For devices that are to trust the authority. Beside its calls: no first page waits for it. */
export const authorityUrl = `${basePath}/fluglog-ca.crt`;

/** The same server over https. */
export const secureUrl = `https://${window.location.host}${basePath}/`;

/** The SHA-256 of the certificate as systems show it; null without an own authority. */
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

/** Whether this device trusts the certificate. A browser asks nobody: it just doesn't get an answer. */
export async function isTrusted(): Promise<boolean> {
  return fetch(`${secureUrl}health`, { mode: "no-cors", cache: "no-store" }).then(
    () => true,
    () => false,
  );
}
