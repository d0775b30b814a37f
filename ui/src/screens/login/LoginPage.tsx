// The login by e-mail and password. Whoever is logged in already, or becomes so here, goes on to where they wanted.
// Knows nothing of cookies: the server sets them.
import { useForm } from "react-hook-form";
import { Navigate, useLocation } from "react-router";
import { ApiError } from "../../api/client";
import { type LoginFields, useLogin, useSession } from "../../api/session";
import { Form, SubmitButton } from "../../components/Form";
import { Checkbox, PasswordField, TextField } from "../../components/fields";
import { Logo } from "../../components/Logo";
import { InfoNote } from "../../components/states";
import { general, login } from "../../texts";
import { urls } from "../../urls";

/** Something before and after the @, a dot in the domain, no spaces. */
const emailPattern = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** Statuses whose sentence helps: too many tries, server busy. Any other failure is said alike. */
const telling = [429, 503];

export function LoginPage() {
  const session = useSession();
  const location = useLocation();
  const loginCall = useLogin();
  const form = useForm<LoginFields>({
    defaultValues: { email: "", password: "", rememberMe: false },
    reValidateMode: "onBlur",
  });
  const from = (location.state as { from?: string | null } | null)?.from ?? null;

  if (session.data?.user) return <Navigate to={from ?? urls.home} replace />;

  async function submit(fields: LoginFields) {
    try {
      await loginCall.mutateAsync({ ...fields, email: fields.email.trim() });
    } catch (error) {
      if (error instanceof ApiError && !telling.includes(error.status)) {
        form.setError("root", { message: login.failed });
        return;
      }
      throw error;
    }
  }

  return (
    <div className="page login">
      <title>{`${login.title} · ${general.product}`}</title>
      <div className="login-head">
        <Logo size={56} />
        <h1>{general.product}</h1>
        <p>{login.subtitle}</p>
      </div>
      <section className="card login-card" aria-label={login.title}>
        {from !== null && from !== urls.home && <InfoNote icon="history">{login.continueAfter}</InfoNote>}
        <Form form={form} onSubmit={submit} failure={general.failed}>
          <TextField
            control={form.control}
            name="email"
            label={login.email}
            type="email"
            inputMode="email"
            autoComplete="username"
            maxLength={254}
            rules={{ validate: (email) => emailPattern.test(email.trim()) || login.emailInvalid }}
          />
          <PasswordField
            control={form.control}
            name="password"
            label={login.password}
            autoComplete="current-password"
            rules={{ validate: (password) => password !== "" || login.passwordMissing }}
          />
          <Checkbox control={form.control} name="rememberMe" label={login.rememberMe} />
          <SubmitButton isLarge>{login.submit}</SubmitButton>
          <p className="login-status" role="status">
            {form.formState.isSubmitting && login.checking}
          </p>
        </Form>
      </section>
    </div>
  );
}
