//! Passwords and tokens: argon2 with a limit on concurrent hashes, random tokens and their digests. Knows no user, no
//! table and no request.

use std::collections::HashSet;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use argon2::password_hash::phc::{Ident, Output, ParamsString, PasswordHash, Salt};
use argon2::{Algorithm, Argon2, Block, Params, Version};
use sha2::{Digest as _, Sha256};

use crate::error::{Error, Result};
use crate::text;

/// Length of a salt in bytes (RFC 9106, section 3.1).
const SALT_BYTES: usize = 16;
/// Most logins that may wait for a hash: each occupies a thread.
const MAX_LOGINS_WAITING: usize = 32;
/// Most new passwords that may wait for a hash.
const MAX_NEW_WAITING: usize = 8;

/// Hashes passwords with argon2id (m = 19 MiB, t = 2, p = 1; OWASP Password Storage Cheat Sheet).
///
/// A hash takes 19 MiB and a core, so only a limited number runs at a time; the others wait, new passwords behind
/// logins. The memory is kept for later hashes, which is faster than allocating it anew, and freed by
/// [`Hasher::release_memory`].
pub struct Hasher {
    free: Mutex<HasherState>,
    freed: Condvar,
}

struct HasherState {
    slots: usize,
    logins_waiting: usize,
    new_waiting: usize,
    /// Owners whose new password is waiting or being hashed.
    owners: HashSet<u128>,
    /// Work memory, used as a stack, so that sequential logins need only one block.
    kept: Vec<Vec<Block>>,
    /// Whether a hash was made since the last call of [`Hasher::release_memory`].
    is_used: bool,
}

/// Priority of a hash.
#[derive(Clone, Copy)]
enum HashPriority {
    Login,
    New,
}

impl HasherState {
    /// Returns how many wait, and how many may.
    fn waiting(&mut self, turn: HashPriority) -> (&mut usize, usize) {
        match turn {
            HashPriority::Login => (&mut self.logins_waiting, MAX_LOGINS_WAITING),
            HashPriority::New => (&mut self.new_waiting, MAX_NEW_WAITING),
        }
    }
}

impl Hasher {
    /// Creates a hasher that runs this many hashes at a time.
    #[must_use]
    pub fn new(slots: usize) -> Hasher {
        Hasher {
            free: Mutex::new(HasherState {
                slots: slots.max(1),
                logins_waiting: 0,
                new_waiting: 0,
                owners: HashSet::new(),
                kept: Vec::new(),
                is_used: false,
            }),
            freed: Condvar::new(),
        }
    }

    /// Hashes a password with a new salt; returns the PHC string.
    ///
    /// # Errors
    /// [`Error::ResourceBusy`] if too many wait already; [`Error::Internal`] if the system gives no random numbers.
    pub fn hash(&self, password: &str) -> Result<String> {
        self.hash_as(HashPriority::New, password)
    }

    /// Like [`Hasher::hash`], but for one password per owner at a time.
    ///
    /// # Errors
    /// As for [`Hasher::hash`], and [`Error::ResourceBusy`] while another password of this owner waits or is being
    /// hashed.
    pub fn hash_for(&self, owner: u128, password: &str) -> Result<String> {
        if !self.lock().owners.insert(owner) {
            return Err(Error::ResourceBusy(text::BUSY));
        }
        let hash = self.hash_as(HashPriority::New, password);
        self.lock().owners.remove(&owner);
        hash
    }

    fn hash_as(&self, turn: HashPriority, password: &str) -> Result<String> {
        let salt = Salt::new(&random_bytes::<SALT_BYTES>()?).map_err(unusable)?;
        let params = Params::DEFAULT;
        let output = self.output(turn, &params, password, &salt)?;
        let hash = PasswordHash {
            algorithm: Ident::from(Algorithm::Argon2id),
            version: Some(Version::V0x13.into()),
            params: ParamsString::try_from(&params).map_err(unusable)?,
            salt: Some(salt),
            hash: Some(output),
        };
        Ok(hash.to_string())
    }

    /// Verifies a password against its hash. Without a hash (`None`: the user is unknown or has no password) it does
    /// equal work and returns `false`, so that the time reveals nothing.
    ///
    /// # Errors
    /// [`Error::ResourceBusy`] if too many wait already; [`Error::Internal`] if the stored hash can't be parsed.
    pub fn verify(&self, password: &str, stored: Option<&str>) -> Result<bool> {
        let Some(stored) = stored else {
            self.output(
                HashPriority::Login,
                &Params::DEFAULT,
                password,
                &Salt::new(&[0; SALT_BYTES]).map_err(unusable)?,
            )?;
            return Ok(false);
        };
        let stored = PasswordHash::new(stored).map_err(unusable)?;
        let params = Params::try_from(&stored).map_err(unusable)?;
        let (Some(salt), Some(hash)) = (stored.salt, stored.hash) else {
            return Err(Error::Internal(
                "a stored password hash has no salt or no hash".to_owned(),
            ));
        };
        // `Output` compares in constant time.
        Ok(self.output(HashPriority::Login, &params, password, &salt)? == hash)
    }

    /// Returns whether a stored hash is weaker than a new one would be. `false` for an unparsable one, which is
    /// damaged.
    #[must_use]
    pub fn is_weak(stored: &str) -> bool {
        let params = PasswordHash::new(stored)
            .ok()
            .and_then(|hash| Params::try_from(&hash).ok());
        params.is_some_and(|params| {
            params.m_cost() < Params::DEFAULT.m_cost() || params.t_cost() < Params::DEFAULT.t_cost()
        })
    }

    fn output(&self, turn: HashPriority, params: &Params, password: &str, salt: &Salt) -> Result<Output> {
        let mut blocks = self.acquire_blocks(turn)?;
        blocks.resize(params.block_count(), Block::new());
        let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params.clone());
        let mut output = [0; Params::DEFAULT_OUTPUT_LEN];
        let hashed =
            argon2.hash_password_into_with_memory(password.as_bytes(), salt.as_ref(), &mut output, &mut blocks);
        self.leave(blocks);
        hashed.map_err(unusable)?;
        Output::new(&output).map_err(unusable)
    }

    fn acquire_blocks(&self, turn: HashPriority) -> Result<Vec<Block>> {
        let mut free = self.lock();
        let (waiting, most) = free.waiting(turn);
        if *waiting >= most {
            return Err(Error::ResourceBusy(text::BUSY));
        }
        *waiting += 1;
        while free.slots == 0 || (matches!(turn, HashPriority::New) && free.logins_waiting > 0) {
            free = self.freed.wait(free).unwrap_or_else(PoisonError::into_inner);
        }
        *free.waiting(turn).0 -= 1;
        free.slots -= 1;
        if free.slots > 0 {
            // A new password may have its turn when the last login is gone.
            self.freed.notify_all();
        }
        Ok(free.kept.pop().unwrap_or_default())
    }

    fn leave(&self, blocks: Vec<Block>) {
        let mut free = self.lock();
        free.slots += 1;
        free.kept.push(blocks);
        free.is_used = true;
        drop(free);
        // Wakes all: a single thread woken might be one that has to let logins go first.
        self.freed.notify_all();
    }

    /// Frees the work memory, unless a hash was made since the last call.
    pub fn release_memory(&self) {
        let mut free = self.lock();
        if !std::mem::take(&mut free.is_used) {
            free.kept = Vec::new();
        }
    }

    fn lock(&self) -> MutexGuard<'_, HasherState> {
        self.free.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A random secret of 256 bits in hexadecimal digits. The database stores only its [`Digest`].
pub struct Token(String);

/// SHA-256 of a token, as stored in the database.
pub type Digest = [u8; 32];

impl Token {
    /// Creates a random token.
    ///
    /// # Errors
    /// [`Error::Internal`] if the system gives no random numbers.
    pub fn fresh() -> Result<Token> {
        Ok(Token(const_hex::encode(random_bytes::<32>()?)))
    }

    /// Returns the text for the holder.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the digest that the database stores.
    #[must_use]
    pub fn digest(&self) -> Digest {
        digest(&self.0)
    }
}

/// Returns the digest that the database stores for a token.
#[must_use]
pub fn digest(token: &str) -> Digest {
    Sha256::digest(token.as_bytes()).into()
}

/// Returns the table key of a digest.
#[must_use]
pub fn digest_key(digest: &Digest) -> (u128, u128) {
    let mut halves = [[0; 16]; 2];
    halves[0].copy_from_slice(&digest[..16]);
    halves[1].copy_from_slice(&digest[16..]);
    (u128::from_be_bytes(halves[0]), u128::from_be_bytes(halves[1]))
}

/// Returns `length` random decimal digits, uniformly distributed.
///
/// # Errors
/// [`Error::Internal`] if the system gives no random numbers.
pub fn random_digits(length: usize) -> Result<String> {
    let mut digits = String::with_capacity(length);
    while digits.len() < length {
        let [byte] = random_bytes::<1>()?;
        // Rejects bytes from 250 on: 250 is a multiple of ten, and larger bytes would favour the small digits.
        if byte < 250 {
            digits.push(char::from(b'0' + byte % 10));
        }
    }
    Ok(digits)
}

/// Returns random bytes from the operating system.
///
/// # Errors
/// [`Error::Internal`] if the system gives none.
pub fn random_bytes<const LENGTH: usize>() -> Result<[u8; LENGTH]> {
    let mut bytes = [0; LENGTH];
    getrandom::fill(&mut bytes)
        .map_err(|error| Error::Internal(format!("the system gives no random numbers: {error}")))?;
    Ok(bytes)
}

fn unusable(error: impl std::fmt::Display) -> Error {
    Error::Internal(format!("a password can't be hashed: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_right_password_is_known_again_and_a_wrong_one_is_not() {
        let hasher = Hasher::new(1);
        let stored = hasher.hash(" pass wörd 🙂 ").unwrap();
        assert!(hasher.verify(" pass wörd 🙂 ", Some(&stored)).unwrap());
        assert!(!hasher.verify("pass wörd 🙂", Some(&stored)).unwrap());
        assert!(!hasher.verify(" pass wörd 🙂 ", None).unwrap());
    }

    #[test]
    fn a_stored_hash_is_argon2id_with_19_mebibytes_and_two_passes() {
        let stored = Hasher::new(1).hash("geheim-genug").unwrap();
        assert!(stored.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{stored}");
        argon2::PasswordVerifier::<PasswordHash>::verify_password(
            &Argon2::default(),
            b"geheim-genug",
            &PasswordHash::new(&stored).unwrap(),
        )
        .unwrap();
    }

    #[test]
    fn a_hash_is_weak_when_a_new_one_costs_more_memory_or_more_passes() {
        let today = Hasher::new(1).hash("geheim-genug").unwrap();
        assert!(!Hasher::is_weak(&today));
        assert!(Hasher::is_weak(&today.replace("m=19456", "m=19455")));
        assert!(Hasher::is_weak(&today.replace("t=2", "t=1")));
        assert!(!Hasher::is_weak(&today.replace("m=19456,t=2", "m=65536,t=3")));
        assert!(!Hasher::is_weak("unsinn"));
    }

    #[test]
    fn the_memory_of_hashes_is_used_again_and_given_back_some_time_after_the_last_one() {
        let hasher = Hasher::new(1);
        let kept = || hasher.lock().kept.len();
        hasher.hash("Propeller-17").unwrap();
        hasher.hash("Propeller-17").unwrap();
        assert_eq!(kept(), 1);
        hasher.release_memory();
        assert_eq!(kept(), 1, "it was just used");
        hasher.release_memory();
        assert_eq!(kept(), 0);
    }

    #[test]
    fn every_digit_comes_about_as_often() {
        let digits = random_digits(20_000).unwrap();
        for digit in '0'..='9' {
            let found = digits.chars().filter(|other| *other == digit).count();
            assert!((1_700..2_300).contains(&found), "{digit}: {found}");
        }
    }

    #[test]
    fn no_two_tokens_are_alike() {
        let mut seen = std::collections::HashSet::new();
        for _ in 0..10_000 {
            assert!(seen.insert(Token::fresh().unwrap().digest()));
        }
    }

    #[test]
    fn the_key_of_a_digest_is_the_whole_digest() {
        let digest = std::array::from_fn(|at| u8::try_from(at).unwrap());
        assert_eq!(
            digest_key(&digest),
            (
                0x0001_0203_0405_0607_0809_0a0b_0c0d_0e0f,
                0x1011_1213_1415_1617_1819_1a1b_1c1d_1e1f
            )
        );
    }

    #[test]
    fn one_owner_s_new_passwords_wait_one_at_a_time_and_logins_go_first() {
        const LOGINS: usize = 8;
        let hasher = Hasher::new(1);
        let blocks = hasher.acquire_blocks(HashPriority::Login).unwrap();
        std::thread::scope(|scope| {
            let new = scope.spawn(|| {
                hasher.hash_for(1, "Propeller-17").unwrap();
                hasher.lock().logins_waiting
            });
            while hasher.lock().new_waiting == 0 {
                std::thread::yield_now();
            }
            let second = scope.spawn(|| hasher.hash_for(1, "Propeller-17"));
            while !second.is_finished() && hasher.lock().new_waiting == 1 {
                std::thread::yield_now();
            }
            let is_second_over = second.is_finished();
            for _ in 0..LOGINS {
                scope.spawn(|| hasher.verify("Propeller-17", None).unwrap());
            }
            while hasher.lock().logins_waiting < LOGINS {
                std::thread::yield_now();
            }
            hasher.leave(blocks);
            assert_eq!(new.join().unwrap(), 0, "a new password went before a login");
            assert!(is_second_over && matches!(second.join().unwrap(), Err(Error::ResourceBusy(_))));
        });
        hasher.hash_for(1, "Propeller-17").unwrap();
    }
}
