//! The sources of settings, their precedence, and the errors of wrong ones.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use crate::cli::init::init;
use crate::harness::process::{finish, run};
use crate::harness::wait;
use crate::harness::{Output, Running, Server, program, run_with_input, temporary_directory, text};

/// Runs `init` with these flags and variables in an empty working directory; returns the paths of databases.
fn place_of_database(work: &Path, flags: &[&str], variables: &[(&str, &str)]) -> Vec<String> {
    let mut command = program();
    command
        .arg("init")
        .args(flags)
        .envs(variables.iter().copied())
        .current_dir(work);
    let done = finish(command, b"");
    assert_eq!(done.code, 0, "{done:?}");
    let mut names: Vec<_> = std::fs::read_dir(work)
        .unwrap()
        .map(|entry| entry.unwrap())
        .filter(|entry| entry.path().join("fluglog.redb").exists())
        .map(|entry| entry.file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn a_flag_beats_the_environment_beats_the_file_beats_the_default() {
    let file = |work: &Path| {
        let path = work.join("settings.toml");
        std::fs::write(&path, "data_dir = \"from-file\"\n").unwrap();
        path
    };
    let variable = ("FLUGLOG_DATA_DIR", "from-environment");
    for (flag, environment, with_file, expected) in [
        (true, true, true, "from-flag"),
        (false, true, true, "from-environment"),
        (false, false, true, "from-file"),
        (false, false, false, "data"),
    ] {
        let work = temporary_directory();
        let settings = file(work.path());
        if !with_file {
            std::fs::write(&settings, "# nothing\n").unwrap();
        }
        let mut flags = vec!["--config", text(&settings)];
        if flag {
            flags.extend(["--data-dir", "from-flag"]);
        }
        let variables = if environment { &[variable][..] } else { &[] };
        assert_eq!(place_of_database(work.path(), &flags, variables), [expected]);
    }
}

#[test]
fn config_check_says_what_is_wrong_before_the_server_is_started() {
    let work = temporary_directory();
    let check = |content: &str| {
        std::fs::write(work.path().join("fluglog.toml"), content).unwrap();
        run_with_input(["config", "check", "--data-dir", text(work.path())], b"")
    };
    let done = check("quota_per_pilot = \"500 MB\"\n");
    assert_eq!(done.code, 0, "{done:?}");
    assert!(done.stdout.contains("fluglog.toml ist in Ordnung."), "{done:?}");
    let done = check("trusted_proxies = [\"127.0.0.1\"]\n");
    assert!(done.code == 0 && done.stdout.contains("public_url fehlt"), "{done:?}");
    check("quotas = 1\n").expect_refusal(78, &["quotas", "quota_per_pilot"]);
    check("quota_per_pilot = \"viel\"\n").expect_refusal(78, &["viel", "500 MB"]);
    check("tls.cert = \"/nowhere/cert.pem\"\ntls.key = \"/nowhere/key.pem\"\n").expect_refusal(78, &["/nowhere"]);
    check("time_zone = \"Berlin\"\n").expect_refusal(78, &["Europe/Berlin)"]);
    let privileged = check("listen = \"0.0.0.0:80\"\n");
    assert_eq!(privileged.code, 0, "{privileged:?}");
    assert!(privileged.stdout.contains("fluglog.socket"), "{privileged:?}");
    check("listen = \":80\"\n").expect_refusal(78, &["0.0.0.0:80 "]);
    check("smtp.host = \"smtp.example.org\"\nsmtp.password_file = \"/nowhere/password\"\n")
        .expect_refusal(78, &["/nowhere/password", "gibt es nicht"]);
    // Nothing was created.
    assert_eq!(std::fs::read_dir(work.path()).unwrap().count(), 1);
}

#[test]
fn an_unknown_command_is_refused_with_the_nearest_one() {
    run_with_input(["stauts"], b"").expect_refusal(2, &["stauts", "am ähnlichsten ist „status“"]);
    run_with_input(["status", "--jsn"], b"").expect_refusal(2, &["„--jsn“", "am ähnlichsten ist „--json“"]);
    run_with_input(["user", "ad"], b"").expect_refusal(2, &["„add“"]);
}

#[test]
fn the_file_itself_may_be_named_by_flag_or_environment() {
    let work = temporary_directory();
    for (name, directory) in [("one.toml", "one"), ("two.toml", "two")] {
        std::fs::write(work.path().join(name), format!("data_dir = \"{directory}\"\n")).unwrap();
    }
    assert_eq!(
        place_of_database(work.path(), &[], &[("FLUGLOG_CONFIG", "one.toml")]),
        ["one"]
    );
    let both = place_of_database(
        work.path(),
        &["--config", "two.toml"],
        &[("FLUGLOG_CONFIG", "one.toml")],
    );
    assert_eq!(both, ["one", "two"], "the flag wins");
}

#[test]
fn a_named_data_directory_brings_its_own_file() {
    let place = temporary_directory();
    assert_eq!(init(place.path()).code, 0);
    std::fs::write(place.path().join("fluglog.toml"), "listen = [\"127.0.0.1:0\"]\n").unwrap();
    let started = |flags: &[&str], variables: &[(&str, &str)]| {
        let mut command = program();
        command
            .args(["serve", "--data-dir"])
            .arg(place.path())
            .args(flags)
            .envs(variables.iter().copied());
        let mut running = Running::start(command);
        let line = running.first_line();
        running.terminate();
        running.wait();
        line
    };
    assert!(started(&[], &[]).contains("//127.0.0.1:"));
    let elsewhere = ("FLUGLOG_LISTEN", "127.0.0.2:0");
    assert!(
        started(&[], &[elsewhere]).contains("//127.0.0.2:"),
        "the environment beats the file"
    );
    let flags = ["--listen", "127.0.0.3:0"];
    assert!(
        started(&flags, &[elsewhere]).contains("//127.0.0.3:"),
        "the flag beats both"
    );
}

fn list_with(configuration: &str, variables: &[(&str, &str)]) -> (Output, String) {
    let place = temporary_directory();
    let directory = place.path().join("data");
    assert_eq!(init(&directory).code, 0);
    let file = directory.join("fluglog.toml");
    std::fs::write(&file, configuration).unwrap();
    let mut command = program();
    command
        .args(["user", "list", "--data-dir"])
        .arg(&directory)
        .envs(variables.iter().copied());
    (finish(command, b""), text(&file).to_owned())
}

#[test]
fn a_file_of_its_own_for_a_secret_that_everybody_can_read_is_named_with_the_way_out() {
    let place = temporary_directory();
    let directory = place.path().join("data");
    assert_eq!(init(&directory).code, 0);
    let [mail, target] = ["mail", "target"].map(|name| {
        let file = place.path().join(name);
        std::fs::write(&file, "Sehr-geheim-7").unwrap();
        file
    });
    let configuration = format!(
        "[smtp]\nhost = \"127.0.0.1\"\nuser = \"a@example.org\"\npassword_file = \"{}\"\n\
         [backup.targets.a]\nkind = \"folder\"\npath = \"/a\"\npassphrase_file = \"{}\"\n",
        text(&mail),
        text(&target)
    );
    std::fs::write(directory.join("fluglog.toml"), configuration).unwrap();
    for (mode, named) in [(0o644, true), (0o640, false)] {
        for file in [&mail, &target] {
            std::fs::set_permissions(file, PermissionsExt::from_mode(mode)).unwrap();
        }
        let done = run(["config", "check", "--data-dir", text(&directory)]);
        assert_eq!(done.code, 0, "{done:?}");
        for file in [&mail, &target] {
            let way_out = format!("sudo chmod 640 {}", text(file));
            assert_eq!(done.stdout.contains(&way_out), named, "{done:?}");
        }
    }
}

#[test]
fn a_file_whose_passwords_everybody_can_read_is_named_with_the_way_out() {
    let place = temporary_directory();
    let directory = place.path().join("data");
    assert_eq!(init(&directory).code, 0);
    let file = directory.join("fluglog.toml");
    let check = |configuration: &str, mode| {
        std::fs::write(&file, configuration).unwrap();
        std::fs::set_permissions(&file, PermissionsExt::from_mode(mode)).unwrap();
        let done = run(["config", "check", "--data-dir", text(&directory)]);
        assert_eq!(done.code, 0, "{done:?}");
        done.stdout.contains(&format!("sudo chmod 640 {}", text(&file)))
    };
    let mail = "smtp.host = \"127.0.0.1\"\nsmtp.user = \"a@example.org\"\nsmtp.password = \"Sehr-geheim-7\"\n";
    let target = "[backup.targets.a]\nkind = \"folder\"\npath = \"/a\"\npassphrase = \"vier rote Propeller\"\n";
    for secret in [mail, target] {
        assert!(check(secret, 0o644), "{secret}");
        assert!(!check(secret, 0o640), "{secret}");
    }
    assert!(!check("time_zone = \"UTC\"\n", 0o644));
    assert!(check(mail, 0o644));
    let server = Server::start_in(&directory);
    let log = server.log_with(&format!("chmod o-r {}", text(&file)));
    assert!(!log.contains("Sehr-geheim-7"), "{log}");
}

#[test]
fn an_unknown_key_is_refused_with_the_nearest_one() {
    for (configuration, wrong, nearest) in [
        ("listn = [\"127.0.0.1:0\"]\n", "listn", "listen"),
        ("timezone = \"UTC\"\n", "timezone", "time_zone"),
        ("[limits]\nheaderseconds = 3\n", "headerseconds", "header_seconds"),
        ("[limit]\nheader_seconds = 3\n", "limit", "limits"),
        ("data-dir = \"x\"\n", "data-dir", "data_dir"),
    ] {
        let (done, file) = list_with(configuration, &[]);
        done.expect_refusal(78, &[&file, wrong, nearest]);
    }
}

#[test]
fn an_unknown_variable_is_refused_with_the_nearest_one() {
    let (done, _) = list_with("", &[("FLUGLOG_LIMITS__HEADERSECONDS", "3")]);
    done.expect_refusal(78, &["FLUGLOG_LIMITS__HEADERSECONDS", "FLUGLOG_LIMITS__HEADER_SECONDS"]);
}

#[test]
fn a_login_by_a_proxy_s_header_needs_to_know_the_proxy() {
    for (proxies, named) in [
        ("[]", "trusted_proxies"),
        ("[\"127.0.0.1\", \"::/0\"]", "alle Adressen"),
    ] {
        let settings = format!("trusted_proxies = {proxies}\nauth.header = \"Remote-Email\"\n");
        let (refused, _) = list_with(&settings, &[]);
        refused.expect_refusal(78, &[named, "auth.header"]);
    }
}

#[test]
fn a_wrong_value_is_refused_by_name() {
    for (configuration, key) in [
        ("time_zone = \"Europe/Aßling\"\n", "time_zone"),
        ("time_zone = 1\n", "time_zone"),
        ("listen = [\"nonsense\"]\n", "listen"),
        ("listen = []\n", "listen"),
        ("public_url = \"ftp://example.org\"\n", "public_url"),
        ("public_url = \"example.org\"\n", "public_url"),
        ("trusted_proxies = [\"nonsense\"]\n", "trusted_proxies"),
        ("trusted_proxies = [\"127.0.0.1/33\"]\n", "trusted_proxies"),
        ("auth.header = \"Remote Email\"\n", "auth.header"),
        ("auth.logout_url = \"auth.example.org\"\n", "auth.logout_url"),
        ("[limits]\nconnections = 0\n", "connections"),
        ("[limits]\nheader_seconds = -1\n", "header_seconds"),
        ("[limits]\nheader_seconds = \"lange\"\n", "header_seconds"),
    ] {
        let (done, file) = list_with(configuration, &[]);
        done.expect_refusal(78, &[&file, key]);
    }
    for (name, value) in [
        ("FLUGLOG_TIME_ZONE", "Mond"),
        ("FLUGLOG_LISTEN", "8080"),
        ("FLUGLOG_LIMITS__CONNECTIONS", "viele"),
        ("FLUGLOG_PUBLIC_URL", "nonsense"),
    ] {
        let (done, _) = list_with("", &[(name, value)]);
        done.expect_refusal(78, &[name]);
    }
}

#[test]
fn a_file_that_is_no_toml_is_refused_by_name_and_line() {
    for configuration in [
        "listen = \n",
        "= 3\n",
        "[limits\n",
        "time_zone = \"UTC\"\ntime_zone = \"UTC\"\n",
        "\u{0}",
    ] {
        let (done, file) = list_with(configuration, &[]);
        done.expect_refusal(78, &[&file]);
    }
}

#[test]
fn a_file_that_was_named_and_is_missing_is_refused() {
    let place = temporary_directory();
    let missing = place.path().join("missing.toml");
    let directory = place.path().join("data");
    for command in ["init", "serve"] {
        let done = run_with_input(
            [command, "--data-dir", text(&directory), "--config", text(&missing)],
            b"",
        );
        done.expect_refusal(78, &[text(&missing)]);
    }
    assert!(!directory.exists());
}

#[test]
fn a_variable_that_is_no_setting_is_named_in_the_log_and_stops_nobody() {
    let work = temporary_directory();
    let mut command = program();
    command
        .args(["serve", "--listen", "127.0.0.1:0", "--data-dir", text(work.path())])
        .env("FLUGLOG_SERVICE_HOST", "10.0.0.1");
    let mut running = Running::start(command);
    running.first_line();
    wait::until("the variable is named", || {
        running.stderr().contains("FLUGLOG_SERVICE_HOST").then_some(())
    });
    running.terminate();
    assert_eq!(running.wait().code(), Some(0));
}

#[test]
fn the_log_level_follows_the_setting() {
    let (login, request) = (" INFO  login of ", " DEBUG POST /app/api/Login 202 ");
    for (level, has, has_not) in [
        ("warn", &[][..], &[login, request][..]),
        ("info", &[login], &[request]),
        ("debug", &[login, request], &[]),
    ] {
        let mut server = Server::start_with(&[("FLUGLOG_LOG_LEVEL", level)]);
        server.pilot("Anna");
        server.ask_to_end();
        assert_eq!(server.wait_for_end().code(), Some(0));
        wait::until("the log has its lines", || {
            has.iter().all(|line| server.log().contains(line)).then_some(())
        });
        assert!(
            !has_not.iter().any(|line| server.log().contains(line)),
            "{level}:\n{}",
            server.log()
        );
    }
    let (done, file) = list_with("log_level = \"verbose\"\n", &[]);
    done.expect_refusal(78, &[&file, "log_level", "„warn“"]);
}
