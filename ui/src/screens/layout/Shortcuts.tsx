// Keyboard shortcuts: single letters that open screens, unless a field has the focus. Can be switched off, because
// dictation types letters too.
import { useEffect, useState } from "react";
import { useNavigate } from "react-router";
import { Kind } from "../../api/generated/Kind";
import { useCachedUser } from "../../api/session";
import { Button } from "../../components/Button";
import { Dialog, DialogActions, DialogBody } from "../../components/Dialog";
import { Switch } from "../../components/Switch";
import { equipment } from "../../components/texts/equipment";
import { isPageCovered } from "../../lib/overlays";
import { general, layout, statistics, shortcuts as texts } from "../../texts";
import { urls } from "../../urls";
import styles from "./Shortcuts.module.css";

/** Screens by the letter after "g". */
const places: { key: string; to: string; text: string }[] = [
  { key: "s", to: urls.home, text: layout.sections.start },
  { key: "f", to: urls.flights, text: layout.sections.flights },
  { key: "r", to: urls.review, text: statistics.review },
  { key: "a", to: urls.equipments(Kind.Battery), text: layout.sections.batteries },
  { key: "c", to: urls.equipments(Kind.Copter), text: equipment.kinds[Kind.Copter] },
  { key: "b", to: urls.equipments(Kind.Goggles), text: equipment.kinds[Kind.Goggles] },
  { key: "e", to: urls.equipments(Kind.Transmitter), text: equipment.kinds[Kind.Transmitter] },
  { key: "v", to: urls.equipments(Kind.VideoCamera), text: equipment.kinds[Kind.VideoCamera] },
  { key: "d", to: urls.documents, text: layout.sections.documents },
  { key: "p", to: urls.profile, text: layout.profile },
];

const offKey = "fluglog.shortcutsOff";
const waitMs = 1_500;

/** Elements in which letters have a meaning of their own. */
const typingElements = [
  'input:not([type="checkbox"], [type="radio"])',
  "textarea, select",
  '[contenteditable="true"]',
  '[role="spinbutton"], [role="menu"]',
].join();

function isFree(target: EventTarget | null): boolean {
  if (isPageCovered()) return false;
  return !(target instanceof Element && target.closest(typingElements) !== null);
}

export function Shortcuts({
  isOpen,
  onOpenChange,
}: {
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
}) {
  const navigate = useNavigate();
  const openFlight = useCachedUser()?.openFlight ?? null;
  const [isOff, setOff] = useState(() => localStorage.getItem(offKey) !== null);

  useEffect(() => {
    if (isOff) return;
    let goneAt = Number.NEGATIVE_INFINITY;
    function search() {
      const focus = () => {
        const field = document.querySelector<HTMLElement>('main input[type="search"]');
        if (field) field.focus();
        else navigate(urls.flights);
      };
      const opener = document.querySelector<HTMLElement>('main [data-opens-search][aria-expanded="false"]');
      if (opener === null) return focus();
      opener.click();
      // The field is there once React has answered the click; what is typed next must reach it.
      queueMicrotask(focus);
    }
    function press(event: KeyboardEvent) {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (!isFree(event.target)) return;
      const key = event.key.toLowerCase();
      const isGoing = performance.now() - goneAt < waitMs;
      goneAt = key === "g" && !isGoing ? performance.now() : Number.NEGATIVE_INFINITY;
      const place = isGoing ? places.find((one) => one.key === key) : undefined;
      if (place) navigate(place.to);
      else if (key === "/") search();
      else if (key === "n") navigate(openFlight === null ? urls.flightConfig : urls.finishFlight(openFlight));
      else if (key === "?") onOpenChange(true);
      else return;
      event.preventDefault();
    }
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, [isOff, navigate, openFlight, onOpenChange]);

  function use(isUsed: boolean) {
    if (isUsed) localStorage.removeItem(offKey);
    else localStorage.setItem(offKey, "");
    setOff(!isUsed);
  }
  const rows = [
    { keys: ["/"], text: texts.search },
    { keys: ["n"], text: openFlight === null ? texts.start : texts.finish },
    ...places.map(({ key, text }) => ({ keys: ["g", key], text })),
    { keys: ["?"], text: texts.title },
  ];
  return (
    <Dialog title={texts.title} isOpen={isOpen} onClose={() => onOpenChange(false)}>
      <DialogBody>
        <Switch isSelected={!isOff} onChange={use}>
          {texts.use}
        </Switch>
        <dl className={styles.keys}>
          {rows.map(({ keys, text }) => (
            <div key={text}>
              <dt>
                {keys.map((key) => (
                  <kbd key={key}>{key}</kbd>
                ))}
              </dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
      </DialogBody>
      <DialogActions>
        <Button onPress={() => onOpenChange(false)}>{general.close}</Button>
      </DialogActions>
    </Dialog>
  );
}
