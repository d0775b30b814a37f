// Shows operators the server's problems, each with the command that solves it. Urgent ones are above every screen.
import { useServerProblems } from "../../api/account";
import { InfoNote } from "../../components/states";

export function ServerProblems() {
  const problems = useServerProblems();
  const others = problems.data?.filter(({ isUrgent }) => !isUrgent);
  return others?.map(({ sentence, command }) => (
    <InfoNote key={sentence} icon="warning">
      {sentence}: <code>{command}</code>
    </InfoNote>
  ));
}
