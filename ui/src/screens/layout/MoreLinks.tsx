// The sheet of "Mehr" on phones: links to everything without an entry in the navigation.
import { Radio, RadioGroup } from "react-aria-components";
import { Link } from "react-router";
import { useIsAdmin } from "../../api/admin";
import { Icon } from "../../components/Icon";
import { kindIcons } from "../../components/kindIcons";
import { equipment } from "../../components/texts";
import { layout, statistics } from "../../texts";
import { urls } from "../../urls";
import { otherKinds, useThemeChoice } from "./more";
import styles from "./Navigation.module.css";

export function MoreLinks({ onClose, onFeedback }: { onClose: () => void; onFeedback: () => void }) {
  const isAdmin = useIsAdmin();
  return (
    <>
      <ul className={styles.rows}>
        {otherKinds.map((kind) => (
          <li key={kind}>
            <Link className={styles.row} to={urls.equipments(kind)} onClick={onClose}>
              <Icon name={kindIcons[kind]} size={24} />
              {equipment.kinds[kind]}
              <Icon name="chevron-right" />
            </Link>
          </li>
        ))}
        <li>
          <Link className={styles.row} to={urls.review} onClick={onClose}>
            <Icon name="calendar" size={24} />
            {statistics.review}
            <Icon name="chevron-right" />
          </Link>
        </li>
        <li>
          <Link className={styles.row} to={urls.profile} onClick={onClose}>
            <Icon name="user" size={24} />
            {layout.profile}
            <Icon name="chevron-right" />
          </Link>
        </li>
        {isAdmin && (
          <li>
            <Link className={styles.row} to={urls.admin} onClick={onClose}>
              <Icon name="gauge" size={24} />
              {layout.admin}
              <Icon name="chevron-right" />
            </Link>
          </li>
        )}
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
