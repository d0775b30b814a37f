//! Fields of the account calls, and the list of fields that each call takes.

use crate::model::{MAX_NICKNAME_CHARACTERS, PASSWORD_CHARACTERS};
use fluglog_base::declared::Declared;
use fluglog_base::error::Result;
use fluglog_base::field::{Field, MAX_TEXT_CHARACTERS, Required};
use fluglog_base::id::{AccessTokenId, BlobId, LoginId};
use fluglog_base::text;
use fluglog_web::Request;

pub(crate) const EMAIL: Field<String> = Field::exact("email", 1..=MAX_TEXT_CHARACTERS);
pub(super) const PASSWORD: Field<String> = Field::exact("password", 1..=*PASSWORD_CHARACTERS.end());
pub(crate) const REMEMBER: Field<bool> = Field::boolean("rememberMe");
/// The number that the browser shows and the reader of the mail types.
pub(super) const NUMBER: Field<String> = Field::token("number");
pub(crate) const LINK: Required<String> = Field::token("token").required(text::FIELD_MISSING);
pub(super) const LOGIN_TOKEN: Field<String> = Field::token("token");
pub(crate) const NICKNAME: Field<String> = Field::exact("nickname", 1..=MAX_NICKNAME_CHARACTERS);
pub(super) const CODE: Field<String> = Field::token("code");
pub(crate) const NEW_PASSWORD: Required<String> =
    Field::exact("password", PASSWORD_CHARACTERS).required(text::NEW_PASSWORD_MISSING);
pub(super) const SHOWN_PASSWORD: Required<String> =
    Field::exact("password", 1..=*PASSWORD_CHARACTERS.end()).required(text::PASSWORD_MISSING);
pub(super) const REPEATED_PASSWORD: Required<String> =
    Field::exact("repeatPassword", PASSWORD_CHARACTERS).required(text::PASSWORDS_DIFFER);
pub(super) const FIRSTNAME: Field<String> = Field::line("firstname", MAX_TEXT_CHARACTERS);
pub(super) const LASTNAME: Field<String> = Field::line("lastname", MAX_TEXT_CHARACTERS);
/// The longest text that fits beside a QR code.
pub(super) const CONTACT: Field<String> = Field::line("text", 60);
pub(super) const REMOVE_PHOTO: Field<bool> = Field::boolean("removePhoto");
pub(super) const PHOTO_ID: Required<BlobId> = Field::id("uuid").required(text::FIELD_MISSING);
pub(super) const LOGIN_ID: Required<LoginId> = Field::id("dpfId").required(text::FIELD_MISSING);
pub(super) const TOKEN_ID: Required<AccessTokenId> = Field::id("dpfId").required(text::FIELD_MISSING);
pub(super) const TOKEN_NAME: Required<String> = Field::line("name", 60).required(text::FIELD_MISSING);
pub(super) const MAY_WRITE: Field<bool> = Field::boolean("mayWrite");
/// The end of a token, from now.
pub(super) const DAYS: Required<u32> =
    Field::integer("days", 1..=366, text::ACCESS_TOKEN_DAYS).required(text::ACCESS_TOKEN_DAYS);

pub(super) const CREATE_ACCESS_TOKEN: &[Declared] = &[TOKEN_NAME.declared(), MAY_WRITE.declared(), DAYS.declared()];
pub(super) const END_ACCESS_TOKEN: &[Declared] = &[TOKEN_ID.declared()];
pub(super) const END_SESSION: &[Declared] = &[LOGIN_ID.declared()];
pub(super) const LOG_IN: &[Declared] = &[EMAIL.declared().required(), PASSWORD.declared(), REMEMBER.declared()];
pub(super) const CHECK_LOGIN_TOKEN: &[Declared] =
    &[EMAIL.declared().required(), REMEMBER.declared(), NUMBER.declared()];
/// Fields of `GetLoginRequest` and `DenyLogin`.
pub(super) const GET_LOGIN_REQUEST: &[Declared] = &[LINK.declared()];
pub(super) const CONFIRM_LOGIN: &[Declared] = &[LINK.declared(), NUMBER.declared().required()];
/// Fields of `CreateFirstAccount` and `AcceptInvitation`.
pub(super) const NEW_ACCOUNT: &[Declared] = &[
    LINK.declared(),
    EMAIL.declared().required(),
    NICKNAME.declared().required(),
    NEW_PASSWORD.declared(),
    REMEMBER.declared(),
];
/// Fields of `GetInvitation`, `GetPasswordReset`, `GetNewAddress` and `ConfirmEmail`.
pub(super) const ONE_LINK: &[Declared] = &[LINK.declared()];
pub(super) const RESET_PASSWORD: &[Declared] =
    &[LINK.declared(), NEW_PASSWORD.declared(), REPEATED_PASSWORD.declared()];
pub(super) const CHANGE_EMAIL: &[Declared] = &[EMAIL.declared().required()];
/// Fields of `RegistrationAndVerification`.
pub(super) const REGISTER: &[Declared] = &[EMAIL.declared().required(), NICKNAME.declared().required()];
/// Fields of `Verification`.
pub(super) const VERIFY: &[Declared] = &[CODE.declared().required(), REMEMBER.declared()];
pub(super) const SAVE_PASSWORD: &[Declared] = &[NEW_PASSWORD.declared(), REPEATED_PASSWORD.declared()];
/// Fields of `CheckSession` and `Logout`.
pub(super) const SESSION: &[Declared] = &[LOGIN_TOKEN.declared()];
pub(super) const CONFIRM_ADMIN: &[Declared] = &[SHOWN_PASSWORD.declared()];
pub(super) const SAVE_PROFILE: &[Declared] = &[
    NICKNAME.declared(),
    FIRSTNAME.declared(),
    LASTNAME.declared(),
    REMOVE_PHOTO.declared(),
];
pub(super) const SAVE_CONTACT: &[Declared] = &[CONTACT.declared()];
pub(super) const GET_PHOTO: &[Declared] = &[PHOTO_ID.declared()];

pub(super) fn email(request: &Request) -> Result<String> {
    let email = EMAIL.read(&request.fields)?;
    email.ok_or_else(|| EMAIL.invalid(text::EMAIL_INVALID))
}

/// Reads the new password, which has to be typed twice.
pub(super) fn new_password(request: &Request) -> Result<String> {
    let password = NEW_PASSWORD.read(&request.fields)?;
    if REPEATED_PASSWORD.read(&request.fields)? != password {
        return Err(REPEATED_PASSWORD.invalid(text::PASSWORDS_DIFFER));
    }
    Ok(password)
}
