// The way from any screen to any other: five entries, on phones in a bar at the bottom, else in the header. The last one
// opens the rest: on phones a sheet, else a menu.
import { useState } from "react";
import { Button as AriaButton, Radio, RadioGroup } from "react-aria-components";
import { Link, useLocation, useNavigate } from "react-router";
import { Kind } from "../../api/generated/Kind";
import { kinds } from "../../api/kinds";
import { Dialog, DialogBody } from "../../components/Dialog";
import { Icon } from "../../components/Icon";
import type { IconName } from "../../components/icons";
import { kindIcons } from "../../components/kindIcons";
import { Menu } from "../../components/Menu";
import { chooseLook, type Look, looks, useLook } from "../../lib/look";
import { equipment, layout } from "../../texts";
import { urls } from "../../urls";
import { FeedbackDialog } from "./FeedbackDialog";
import styles from "./Navigation.module.css";

type Section = "start" | "flights" | "batteries" | "documents" | "more";

const texts = layout.sections;

const entries: { section: Exclude<Section, "more">; to: string; icon: IconName }[] = [
  { section: "start", to: urls.home, icon: "start" },
  { section: "flights", to: urls.flights, icon: "flights" },
  { section: "batteries", to: urls.equipments(Kind.Battery), icon: kindIcons[Kind.Battery] },
  { section: "documents", to: urls.documents, icon: "documents" },
];

const otherKinds = kinds.filter((kind) => kind !== Kind.Battery);

/** The entry under which a screen is found; null for the legal texts. */
function sectionOf(path: string): Section | null {
  const entry = entries.find(({ to }) => path === to || path.startsWith(`${to}/`));
  if (entry) return entry.section;
  return path.startsWith("/equipments/") || path === urls.profile ? "more" : null;
}

export function Navigation({ place }: { place: "header" | "bottom" }) {
  const { pathname } = useLocation();
  const section = sectionOf(pathname);
  const [isFeedbackOpen, setFeedbackOpen] = useState(false);
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
      />
      <FeedbackDialog isOpen={isFeedbackOpen} onClose={() => setFeedbackOpen(false)} />
    </nav>
  );
}

type MoreProps = { isCurrent: boolean; triggerClass: string | undefined; onFeedback: () => void };

/** "Mehr", for screen readers with the word that distinguishes it from the menus of the screens. */
function MoreName() {
  return (
    <span>
      {texts.more}
      <span className="visually-hidden"> {texts.moreAreas}</span>
    </span>
  );
}

function MoreMenu({ isCurrent, triggerClass, onFeedback }: MoreProps) {
  const navigate = useNavigate();
  const lookChoice = useLookChoice();
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
        { id: "profile", text: layout.profile, icon: "user", onAction: () => navigate(urls.profile) },
        { id: "feedback", text: layout.feedback, icon: "feedback", onAction: onFeedback },
      ]}
      choice={lookChoice}
    />
  );
}

function MoreSheet({ isCurrent, triggerClass, onFeedback }: MoreProps) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <AriaButton
        className={triggerClass}
        aria-haspopup="dialog"
        {...(isCurrent && { "aria-current": true })}
        onPress={() => setOpen(true)}
      >
        <Icon name="dots" size={24} />
        <MoreName />
      </AriaButton>
      <Dialog title={texts.more} isOpen={isOpen} onClose={close}>
        <DialogBody>
          <ul className={styles.rows}>
            {otherKinds.map((kind) => (
              <li key={kind}>
                <Link className={styles.row} to={urls.equipments(kind)} onClick={close}>
                  <Icon name={kindIcons[kind]} size={24} />
                  {equipment.kinds[kind]}
                  <Icon name="chevron-right" />
                </Link>
              </li>
            ))}
            <li>
              <Link className={styles.row} to={urls.profile} onClick={close}>
                <Icon name="user" size={24} />
                {layout.profile}
                <Icon name="chevron-right" />
              </Link>
            </li>
            <li>
              <AriaButton
                className={styles.row}
                onPress={() => {
                  close();
                  onFeedback();
                }}
              >
                <Icon name="feedback" size={24} />
                {layout.feedback}
              </AriaButton>
            </li>
          </ul>
          <Looks />
        </DialogBody>
      </Dialog>
    </>
  );
}

/** The looks of this device, for a menu. */
export function useLookChoice() {
  return {
    label: layout.look,
    value: useLook(),
    choices: looks.map((look) => ({ value: look, text: layout.looks[look] })),
    onChoice: (look: string) => chooseLook(look as Look),
  };
}

function Looks() {
  const { label, value, choices, onChoice } = useLookChoice();
  return (
    <RadioGroup className={styles.looks} aria-label={label} value={value} onChange={onChoice}>
      <p className="quiet" aria-hidden="true">
        {label}
      </p>
      <div className={styles.choices}>
        {choices.map((choice) => (
          <Radio key={choice.value} value={choice.value} className={styles.choice}>
            {choice.text}
          </Radio>
        ))}
      </div>
    </RadioGroup>
  );
}
