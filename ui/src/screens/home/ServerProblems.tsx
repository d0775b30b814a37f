// Tells those who run the server what is wrong with it, and the command that mends it.
import { useServerProblems } from "../../api/account";
import { InfoNote } from "../../components/states";

export function ServerProblems() {
  const problems = useServerProblems();
  return problems.data?.map(({ sentence, command }) => (
    <InfoNote key={sentence} icon="warning">
      {sentence}: <code>{command}</code>
    </InfoNote>
  ));
}
