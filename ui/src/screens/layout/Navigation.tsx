// The main navigation: five entries, on phones in a bar at the bottom, else in the header. The last entry opens the
// rest: a sheet on phones, else a menu.
import { useState } from "react";
import { Link, useLocation, useNavigate } from "react-router";
import { Kind } from "../../api/generated/Kind";
import { focusPressed } from "../../components/Button";
import { Dialog, DialogBody } from "../../components/Dialog";
import { deferred } from "../../components/deferred";
import { Icon } from "../../components/Icon";
import type { IconName } from "../../components/icons";
import { kindIcons } from "../../components/kindIcons";
import { Menu } from "../../components/Menu";
import { equipment, layout, shortcuts, statistics } from "../../texts";
import { urls } from "../../urls";
import { FeedbackDialog } from "./FeedbackDialog";
import { otherKinds, useThemeChoice } from "./more";
import styles from "./Navigation.module.css";

const Shortcuts = deferred(async () => (await import("./Shortcuts")).Shortcuts);
const MoreLinks = deferred(async () => (await import("./MoreLinks")).MoreLinks);

type Section = "start" | "flights" | "batteries" | "documents" | "more";

const texts = layout.sections;

const entries: { section: Exclude<Section, "more">; to: string; icon: IconName }[] = [
  { section: "start", to: urls.home, icon: "start" },
  { section: "flights", to: urls.flights, icon: "flights" },
  { section: "batteries", to: urls.equipments(Kind.Battery), icon: kindIcons[Kind.Battery] },
  { section: "documents", to: urls.documents, icon: "documents" },
];

/** Returns the navigation entry that a screen belongs to; null for the legal texts. */
function sectionOf(path: string): Section | null {
  const entry = entries.find(({ to }) => path === to || path.startsWith(`${to}/`));
  if (entry) return entry.section;
  const isMore = [urls.profile, urls.review, urls.todo].includes(path) || /^.(equipments|spaces)/.test(path);
  return isMore ? "more" : null;
}

export function Navigation({ place }: { place: "header" | "bottom" }) {
  const { pathname } = useLocation();
  const section = sectionOf(pathname);
  const [isFeedbackOpen, setFeedbackOpen] = useState(false);
  const [areKeysShown, setKeysShown] = useState(false);
  const isBottom = place === "bottom";
  const shape = isBottom ? styles.bottom : styles.top;
  const More = isBottom ? MoreSheet : MoreMenu;
  return (
    <nav
      className={`${styles.navigation} ${shape}`}
      aria-label={texts.title}
      data-bottom-navigation={isBottom ? "" : undefined}
    >
      {entries.map(({ section: own, to, icon }) => (
        <Link
          key={own}
          className={own === section ? `${styles.entry} ${styles.current}` : styles.entry}
          to={to}
          aria-current={to === pathname ? "page" : own === section ? true : undefined}
        >
          {isBottom && <Icon name={icon} size={24} />}
          <span>{texts[own]}</span>
        </Link>
      ))}
      <More
        isCurrent={section === "more"}
        triggerClass={section === "more" ? `${styles.entry} ${styles.current}` : styles.entry}
        onFeedback={() => setFeedbackOpen(true)}
        onKeys={() => setKeysShown(true)}
      />
      {!isBottom && <Shortcuts isOpen={areKeysShown} onOpenChange={setKeysShown} />}
      <FeedbackDialog isOpen={isFeedbackOpen} onClose={() => setFeedbackOpen(false)} />
    </nav>
  );
}

type MoreProps = {
  isCurrent: boolean;
  triggerClass: string | undefined;
  onFeedback: () => void;
  onKeys: () => void;
};

/** "Mehr", with a word for screen readers that distinguishes it from the menus of the screens. */
function MoreName() {
  return (
    <span>
      {texts.more}
      <span className="visually-hidden"> {texts.moreAreas}</span>
    </span>
  );
}

function MoreMenu({ isCurrent, triggerClass, onFeedback, onKeys }: MoreProps) {
  const navigate = useNavigate();
  const themeChoice = useThemeChoice();
  return (
    <Menu
      isCurrent={isCurrent}
      label={`${texts.more} ${texts.moreAreas}`}
      triggerClass={triggerClass}
      trigger={
        <>
          <span>{texts.more}</span>
          <Icon name="chevron-down" size={18} />
        </>
      }
      entries={[
        ...otherKinds.map((kind) => ({
          id: String(kind),
          text: equipment.kinds[kind],
          icon: kindIcons[kind],
          onAction: () => navigate(urls.equipments(kind)),
        })),
        { id: "review", text: statistics.review, icon: "calendar", onAction: () => navigate(urls.review) },
        { id: "todo", text: layout.todo, icon: "check", onAction: () => navigate(urls.todo) },
        { id: "spaces", text: layout.spaces, icon: "users", onAction: () => navigate(urls.spaces) },
        { id: "profile", text: layout.profile, icon: "user", onAction: () => navigate(urls.profile) },
        { id: "feedback", text: layout.feedback, icon: "feedback", onAction: onFeedback },
        { id: "keys", text: shortcuts.title, icon: "info", onAction: onKeys },
      ]}
      choice={themeChoice}
    />
  );
}

function MoreSheet({ isCurrent, triggerClass, onFeedback }: Omit<MoreProps, "onKeys">) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <button
        type="button"
        className={triggerClass}
        aria-haspopup="dialog"
        aria-current={isCurrent || undefined}
        onClick={(event) => {
          focusPressed(event);
          setOpen(true);
        }}
      >
        <Icon name="dots" size={24} />
        <MoreName />
      </button>
      <Dialog title={texts.more} isOpen={isOpen} onClose={close}>
        <DialogBody>
          <MoreLinks
            onClose={close}
            onFeedback={() => {
              close();
              onFeedback();
            }}
          />
        </DialogBody>
      </Dialog>
    </>
  );
}
