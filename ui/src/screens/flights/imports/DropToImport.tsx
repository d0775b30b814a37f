// Files that are dropped on a screen of flights are looked through on the page for it.
import { useNavigate } from "react-router";
import { FileDrop } from "../../../components/FileDrop";
import { handFiles } from "../../../lib/handedFiles";
import { imports } from "../../../texts";
import { urls } from "../../../urls";

export function DropToImport() {
  const navigate = useNavigate();
  return (
    <FileDrop
      label={imports.dropHere}
      onDrop={(files) => {
        handFiles(files);
        navigate(urls.importFlights);
      }}
    />
  );
}
