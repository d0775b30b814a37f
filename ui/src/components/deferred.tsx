// Components whose code isn't part of the first load: dialogs, menus and forms. Their code is loaded once the first
// screen is shown, because the network may be gone with the next tap, or else with the component itself.
import {
  type ComponentProps,
  type ComponentType,
  lazy,
  type ReactNode,
  Suspense,
  useEffect,
  useState,
} from "react";

const firstScreenMs = 500;

/** A slow phone may still be busy with the first screen. Safari has no requestIdleCallback. */
const whenIdle = (work: () => void) =>
  "requestIdleCallback" in window ? requestIdleCallback(work, { timeout: 5_000 }) : setTimeout(work, 500);

/** Sequentially, so that a call of the user's never waits for all of them. */
let queue: Promise<unknown> = new Promise<void>((done) => {
  const wait = () => setTimeout(() => whenIdle(done), firstScreenMs);
  if (document.readyState === "complete") wait();
  else window.addEventListener("load", wait, { once: true });
}).then(() => performance.mark("fluglog-later"));

/** Loads in the background, after everything that was scheduled before. Undefined if that fails. */
function loadInTurn<Loaded>(load: () => Promise<Loaded>): Promise<Loaded | undefined> {
  const turn = queue.then(load).catch(() => undefined);
  queue = turn;
  performance.clearMarks("fluglog-complete");
  turn.then(() => turn === queue && performance.mark("fluglog-complete"));
  return turn;
}

/** Schedules `load` in the background, and returns it; for other things than components. */
export function loadDeferred<Loaded>(load: () => Promise<Loaded>): () => Promise<Loaded> {
  // A failed load is repeated when the component is shown, which shows the error.
  loadInTurn(load);
  return load;
}

export function deferred<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): (props: Props) => ReactNode {
  let component: ComponentType<Props> | undefined;
  const loadComponent = async () => {
    component = await load();
    return component;
  };
  loadDeferred(loadComponent);
  const Lazy = lazy(async () => ({ default: await loadComponent() }));
  return (props) => {
    // Already loaded: rendered without a fallback.
    const [Loaded] = useState<typeof Lazy | ComponentType<Props>>(() => component ?? Lazy);
    return (
      <Suspense>
        <Loaded {...(props as ComponentProps<typeof Lazy> & Props)} />
      </Suspense>
    );
  };
}

/**
 * Like `deferred`, but for components that appear by themselves, in the order in which they were declared: renders
 * nothing until the background load.
 */
export function whenLoaded(load: () => Promise<ComponentType>): () => ReactNode {
  let component: ComponentType | undefined;
  const loaded = loadInTurn(load);
  return () => {
    const [Loaded, setLoaded] = useState(() => component);
    useEffect(() => {
      loaded
        .then((there) => there ?? load())
        .then((there) => {
          component = there;
          setLoaded(() => there);
        })
        .catch(() => {});
    }, []);
    return Loaded && <Loaded />;
  };
}
