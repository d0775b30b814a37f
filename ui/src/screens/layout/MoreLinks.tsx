// The sheet of "Mehr" on phones: links to everything without an entry in the navigation.
import { Radio, RadioGroup } from "react-aria-components";
import { Link } from "react-router";
import { useIsAdmin } from "../../api/admin";
import { Icon } from "../../components/Icon";
import type { IconName } from "../../components/icons";
import { kindIcons } from "../../components/kindIcons";
import { equipment } from "../../components/texts/equipment";
import { layout, statistics } from "../../texts";
import { urls } from "../../urls";
import { otherKinds, useThemeChoice } from "./more";
import styles from "./Navigation.module.css";

export function MoreLinks({ onClose, onFeedback }: { onClose: () => void; onFeedback: () => void }) {
  const isAdmin = useIsAdmin();
  const ways: Way[] = [
    ...otherKinds.map((kind) => ({
      to: urls.equipments(kind),
      icon: kindIcons[kind],
      text: equipment.kinds[kind],
    })),
    { to: urls.review, icon: "calendar", text: statistics.review },
    { to: urls.todo, icon: "check", text: layout.todo },
    { to: urls.spaces, icon: "users", text: layout.spaces },
    { to: urls.profile, icon: "user", text: layout.profile },
    ...(isAdmin ? [{ to: urls.admin, icon: "gauge", text: layout.admin } as const] : []),
  ];
  return (
    <>
      <ul className={styles.rows}>
        {ways.map(({ to, icon, text }) => (
          <li key={to}>
            <Link className={styles.row} to={to} onClick={onClose}>
              <Icon name={icon} size={24} />
              {text}
              <Icon name="chevron-right" />
            </Link>
          </li>
        ))}
        <li>
          <button type="button" className={styles.row} onClick={onFeedback}>
            <Icon name="feedback" size={24} />
            {layout.feedback}
          </button>
        </li>
      </ul>
      <Themes />
    </>
  );
}

type Way = { to: string; icon: IconName; text: string };

function Themes() {
  const { label, value, choices, onChoice } = useThemeChoice();
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
