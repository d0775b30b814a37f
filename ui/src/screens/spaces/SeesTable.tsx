// Who sees what: a table with an eye in each cell, open or crossed out.
import { Icon } from "../../components/Icon";
import styles from "./SeesTable.module.css";
import { sees as texts } from "./texts";

export function SeesTable() {
  return (
    <section className={`card ${styles.frame}`} aria-labelledby="sees-title">
      <h2 id="sees-title">{texts.title}</h2>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{texts.what}</th>
            {texts.columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {texts.rows.map(({ what, seen }) => (
            <tr key={what}>
              <th scope="row">{what}</th>
              {seen.map((isSeen, column) => (
                <td key={texts.columns[column]}>
                  <span className={isSeen ? styles.seen : styles.hidden}>
                    <Icon name={isSeen ? "eye" : "eye-off"} size={20} />
                    <span className="visually-hidden">{isSeen ? texts.yes : texts.no}</span>
                  </span>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <p className="quiet">{texts.household}</p>
    </section>
  );
}
