// Components whose code no first screen waits for: dialogs, menus and forms. It is loaded once the first screen is
// there, because the network may be gone with the next tap, or with the component itself. Knows none of them.
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

/** A slow phone may still be busy with the first screen then. Safari doesn't tell. */
const whenIdle = (work: () => void) =>
  "requestIdleCallback" in window ? requestIdleCallback(work, { timeout: 5_000 }) : setTimeout(work, 500);

/** One after the other: a call of the user's never waits for all of them. */
let queue: Promise<unknown> = new Promise<void>((done) => {
  const wait = () => setTimeout(() => whenIdle(done), firstScreenMs);
  if (document.readyState === "complete") wait();
  else window.addEventListener("load", wait, { once: true });
}).then(() => performance.mark("fluglog-later"));

/** `load` itself, for what is no component. */
export function loadDeferred<Loaded>(load: () => Promise<Loaded>): () => Promise<Loaded> {
  // What fails here is loaded, or its error shown, when it is opened.
  const turn = queue.then(load).catch(() => {});
  queue = turn;
  performance.clearMarks("fluglog-complete");
  turn.then(() => turn === queue && performance.mark("fluglog-complete"));
  return load;
}

export function deferred<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): (props: Props) => ReactNode {
  let component: ComponentType<Props> | undefined;
  const keep = async () => {
    component = await load();
    return component;
  };
  loadDeferred(keep);
  const Lazy = lazy(async () => ({ default: await keep() }));
  return (props) => {
    // Loaded before, it is there at once.
    const [Loaded] = useState<typeof Lazy | ComponentType<Props>>(() => component ?? Lazy);
    return (
      <Suspense>
        <Loaded {...(props as ComponentProps<typeof Lazy> & Props)} />
      </Suspense>
    );
  };
}

/** As `later`, for what appears by itself: nothing is shown until its turn has come. */
export function whenLoaded(load: () => Promise<ComponentType>): () => ReactNode {
  let component: ComponentType | undefined;
  const turn = loadDeferred(load);
  const loaded = queue.then(turn);
  return () => {
    const [Loaded, setLoaded] = useState(() => component);
    useEffect(() => {
      loaded.then(
        (there) => {
          component = there;
          setLoaded(() => there);
        },
        () => {},
      );
    }, []);
    return Loaded && <Loaded />;
  };
}
