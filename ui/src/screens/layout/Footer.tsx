// The bar at the end: notice and version, legal pages in a new tab.
import { Link } from "react-router";
import { layout } from "../../texts";
import { siteRoot, urls } from "../../urls";
import { version } from "../../version";
import styles from "./Footer.module.css";

export function Footer({ isLogin }: { isLogin: boolean }) {
  return (
    <footer className={styles.footer}>
      <span>
        {layout.company} · {layout.version(version)}
      </span>
      <nav className={styles.links} aria-label={layout.footer}>
        {isLogin && <a href={siteRoot}>{layout.start}</a>}
        <Link to={urls.impressum} target="_blank" rel="noopener">
          {layout.impressum}
          <span className="visually-hidden"> {layout.newTab}</span>
        </Link>
        <Link to={urls.dataprivacy} target="_blank" rel="noopener">
          {layout.dataprivacy}
          <span className="visually-hidden"> {layout.newTab}</span>
        </Link>
      </nav>
    </footer>
  );
}
