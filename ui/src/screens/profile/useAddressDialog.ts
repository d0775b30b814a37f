// A dialog of the profile that is open while the browser is at its address.
import { useLocation, useNavigate } from "react-router";
import { urls } from "../../urls";

export function useAddressDialog(url: string) {
  const { pathname, hash } = useLocation();
  const navigate = useNavigate();
  const show = (to: string) => navigate(to, { replace: true, preventScrollReset: true });
  return { isOpen: pathname + hash === url, open: () => show(url), close: () => show(urls.profile) };
}
