// Tells those who run the server what is wrong with it, and the command that mends it. What is urgent stands above
// every screen.
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
