// The pages of stickers, loaded together: the code, the number pad, and the labels to print.
import { useLocation, useParams } from "react-router";
import { codeOf } from "../../api/stickers";
import { urls } from "../../urls";
import { CodePage } from "./CodePage";
import { LabelsPage } from "./LabelsPage";
import { NumberPage } from "./NumberPage";

export function StickerPages() {
  const { code, number } = useParams();
  const { pathname } = useLocation();
  if (pathname === urls.labels) return <LabelsPage />;
  if (code === undefined) return <NumberPage key={number} number={number} />;
  return <CodePage key={code} code={codeOf(code)} />;
}
