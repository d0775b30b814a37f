// The two legal pages. The operator provides their text: plain, a blank line between paragraphs, "# " before a heading.

import { type LegalText, useLegalText } from "../../api/legal";
import { Page } from "../../components/Page";
import { QueryView, Skeleton } from "../../components/states";
import styles from "./LegalPage.module.css";
import { legal } from "./texts";

export function Impressum() {
  return <LegalPage name="impressum" title={legal.impressum} />;
}

export function DataPrivacy() {
  return <LegalPage name="dataprivacy" title={legal.dataprivacy} />;
}

function LegalPage({ name, title }: { name: LegalText; title: string }) {
  const query = useLegalText(name);
  return (
    <Page title={title} isNarrow>
      <QueryView query={query} failure={legal.failed} skeleton={<Skeleton count={3} height={5} />}>
        {(text) => <div className={`stack ${styles.text}`}>{blocksOf(text, title).map(toElement)}</div>}
      </QueryView>
    </Page>
  );
}

/** Splits a text into paragraphs and headings, omitting the page's own title. */
function blocksOf(text: string, title: string): string[] {
  const blocks = text
    .replaceAll("\r\n", "\n")
    .replaceAll(/^# .*$/gm, (heading) => `\n\n${heading}\n\n`)
    .split(/\n{2,}/)
    .map((block) => block.trim())
    .filter((block) => block !== "");
  return blocks[0] === `# ${title}` ? blocks.slice(1) : blocks;
}

function toElement(block: string, position: number) {
  return block.startsWith("# ") ? <h2 key={position}>{block.slice(2)}</h2> : <p key={position}>{block}</p>;
}
