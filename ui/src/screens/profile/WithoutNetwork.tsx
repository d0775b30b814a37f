// "Ohne Netz": whether the app opens on this device while the server is unreachable, and what it needs for that.
import { Link } from "react-router";
import { useIsRemembered } from "../../api/session";
import { isInstalled } from "../../lib/installed";
import { urls } from "../../urls";
import { withoutNetwork as texts } from "./texts";

export function WithoutNetwork() {
  const isRemembered = useIsRemembered();
  const sentence = sentenceFor(isRemembered);
  if (sentence === null) return null;
  return (
    <section aria-label={texts.title}>
      <h3>{texts.title}</h3>
      <p className="quiet">
        {sentence} {!window.isSecureContext && <Link to={urls.certificate}>{texts.https}</Link>}
      </p>
    </section>
  );
}

/** Returns the sentence; null if the server or the browser has it switched off. */
function sentenceFor(isRemembered: boolean): string | null {
  if (!window.isSecureContext) return texts.needsHttps;
  if (!navigator.serviceWorker?.controller) return null;
  if (!isRemembered) return texts.notRemembered;
  return isInstalled() ? texts.installed : texts.opens;
}
