//! HTTP handlers of the calls about spaces, without rules. `calls.rs` declares what each call takes and answers.

use warp::http::StatusCode;

use super::SpaceChange;
use super::invitations::{self, NewInvitation};
use super::members::{self, MemberChange};
use super::model::{MAX_CONTACT_CHARACTERS, MAX_DAYS, MAX_NAME_CHARACTERS, MAX_USES, Right, SpaceKind};
use crate::api::{EMAIL, LINK, NEW_PASSWORD, NICKNAME, REMEMBER, made, new_account, new_browser};
use crate::call::{self, Answer, Call, Handler};
use crate::guard::{self, Viewer};
use crate::operation::Operation;
use fluglog_app::App;
use fluglog_base::declared::Declared;
use fluglog_base::error::{Error, Result};
use fluglog_base::field::{Field, Required};
use fluglog_base::id::{InvitationId, MemberId, SpaceId};
use fluglog_base::text;
use fluglog_store::operations::model::Object;
use fluglog_web::reply::Reply;
use fluglog_web::{Request, link_base};

/// The calls of this topic.
#[rustfmt::skip]
pub const CALLS: &[Call] = &[
    Call::post("GetSpaces", "The households and clubs of the pilot, the oldest first.",
        Handler::Pilot(get_spaces), &[], &[Answer::list(200, "Space")], &[]),
    Call::post("SaveSpace",
        "Changes a household or club, or makes one that the pilot manages. What isn't sent of an old one stays.",
        Handler::Change(save_space, space_now), SAVE_SPACE,
        &[Answer::json(200, "Space")], &[403, 409]).adds_unless("space").for_browsers(),
    Call::post("GetMembers", "The members of a space: who manages it first, then by name.",
        Handler::Pilot(get_members), ONE_SPACE, &[Answer::list(200, "SpaceMember")], &[]),
    Call::post("SaveMember",
        "Changes the role of a member, which who manages the space may do, or whether the pilot is named.",
        Handler::Change(save_member, member_now), SAVE_MEMBER,
        &[Answer::json(200, "SpaceMember")], &[409]).adds_nothing().for_browsers(),
    Call::post("RemoveMember",
        "Ends the membership of a member, and the open invitations for several: the member may have their links.",
        Handler::Change(remove_member, call::nothing), ONE_MEMBER,
        &[Answer::empty(200)], &[409]).adds_nothing().for_browsers(),
    Call::post("LeaveSpace", "Ends the pilot's membership. The flights stay with the pilot, the equipment stays there.",
        Handler::Change(leave_space, call::nothing), ONE_SPACE,
        &[Answer::empty(200)], &[409]).adds_nothing().for_browsers(),
    Call::post("DissolveSpace", "Removes a space that has no other member and no equipment.",
        Handler::Change(dissolve_space, call::nothing), ONE_SPACE,
        &[Answer::empty(200)], &[409]).adds_nothing().for_browsers(),
    Call::post("SaveInvitation",
        "Makes an invitation into a space: for one person and 7 days, if nothing else is sent. Its link is told only \
         here.",
        Handler::EachTime(save_invitation), SAVE_INVITATION,
        &[Answer::json(201, "InvitationLink")], &[409]).adds_nothing().for_browsers(),
    Call::post("GetInvitations", "The invitations into a space that can be accepted, the oldest first.",
        Handler::Pilot(get_invitations), ONE_SPACE, &[Answer::list(200, "SpaceInvitation")], &[]),
    Call::post("DeleteInvitation", "Ends an invitation into a space.",
        Handler::Change(delete_invitation, call::nothing), ONE_INVITATION,
        &[Answer::empty(200)], &[]).adds_nothing().for_browsers(),
    Call::post("GetSpaceInvitation", "What an invitation into a space says.",
        Handler::Anyone(get_space_invitation), TOKEN,
        &[Answer::json(200, "SpaceToJoin")], &[410, 429]).adds_nothing(),
    Call::post("AcceptSpaceInvitation", "Makes the pilot a member of the space that an invitation is for.",
        Handler::Change(accept_space_invitation, space_now), ACCEPT,
        &[Answer::json(200, "Space")], &[409, 410, 429]).adds_nothing().for_browsers(),
    Call::post("RegisterByInvitation",
        "Makes an account that is a member of the space that an invitation is for, and logs in.",
        Handler::Anyone(register_by_invitation), REGISTER,
        &[Answer::json(201, "SessionUser")], &[409, 410, 429]),
];

const SPACE: Required<SpaceId> = Field::id("space").required(text::FIELD_MISSING);
const OLD_SPACE: Field<SpaceId> = Field::id("space");
const NEW_SPACE: Field<SpaceId> = Field::new_id("dpfId");
const NAME: Field<String> = Field::line("name", MAX_NAME_CHARACTERS);
const KIND: Field<SpaceKind> = Field::code("kind", 1..=2, text::INVALID_INPUT);
const CONTACT: Field<String> = Field::line("contact", MAX_CONTACT_CHARACTERS);
const MEMBER: Required<MemberId> = Field::id("member").required(text::FIELD_MISSING);
const ROLE: Field<Right> = Field::code("role", 1..=4, text::INVALID_INPUT);
const NAME_SHOWN: Field<bool> = Field::boolean("nameShown");
const DAYS: Field<u32> = Field::integer("days", 1..=MAX_DAYS, text::INVITATION_DAYS);
const USES: Field<u32> = Field::integer("uses", 1..=MAX_USES, text::INVITATION_USES);
const INVITATION: Required<InvitationId> = Field::id("dpfId").required(text::FIELD_MISSING);

const ONE_SPACE: &[Declared] = &[SPACE.declared()];
const SAVE_SPACE: &[Declared] = &[
    OLD_SPACE.declared(),
    NEW_SPACE.declared(),
    NAME.declared(),
    KIND.declared(),
    CONTACT.declared(),
];
const ONE_MEMBER: &[Declared] = &[SPACE.declared(), MEMBER.declared()];
const SAVE_MEMBER: &[Declared] = &[
    SPACE.declared(),
    MEMBER.declared(),
    ROLE.declared(),
    NAME_SHOWN.declared(),
];
const SAVE_INVITATION: &[Declared] = &[SPACE.declared(), ROLE.declared(), DAYS.declared(), USES.declared()];
const ONE_INVITATION: &[Declared] = &[SPACE.declared(), INVITATION.declared()];
const TOKEN: &[Declared] = &[LINK.declared()];
const ACCEPT: &[Declared] = &[LINK.declared(), NAME_SHOWN.declared()];
const REGISTER: &[Declared] = &[
    LINK.declared(),
    EMAIL.declared().required(),
    NICKNAME.declared().required(),
    NEW_PASSWORD.declared(),
    REMEMBER.declared(),
    NAME_SHOWN.declared(),
];

fn get_spaces(app: &App, viewer: &Viewer, _request: &Request) -> Result<Reply> {
    Reply::json(StatusCode::OK, &super::list(app, viewer)?)
}

fn save_space(app: &App, operation: Operation, request: &Request) -> Result<Reply> {
    let fields = &request.fields;
    let kind = KIND.read(fields)?;
    let space = match OLD_SPACE.read(fields)? {
        Some(id) => {
            let change = SpaceChange {
                name: NAME.replacement(fields, text::SPACE_NAME_MISSING)?,
                kind,
                contact: CONTACT.change_or_default(fields)?,
            };
            super::edit(app, operation, id, change)?
        }
        None => {
            let id = NEW_SPACE.read(fields)?.unwrap_or_else(SpaceId::fresh);
            let kind = kind.ok_or_else(|| KIND.invalid(text::FIELD_MISSING))?;
            let name = NAME.read(fields)?;
            let name = name.ok_or_else(|| NAME.invalid(text::SPACE_NAME_MISSING))?;
            let contact = CONTACT.read(fields)?.unwrap_or_default();
            super::add(app, operation, id, kind, name, contact)?
        }
    };
    Reply::json(StatusCode::OK, &space)
}

/// The space after `SaveSpace` and `AcceptSpaceInvitation`.
fn space_now(app: &App, viewer: &Viewer, object: Object) -> Result<Reply> {
    Reply::json(StatusCode::OK, &super::get(app, viewer, SpaceId::from_key(object.id))?)
}

fn get_members(app: &App, viewer: &Viewer, request: &Request) -> Result<Reply> {
    Reply::json(
        StatusCode::OK,
        &members::list(app, viewer, SPACE.read(&request.fields)?)?,
    )
}

fn save_member(app: &App, operation: Operation, request: &Request) -> Result<Reply> {
    let fields = &request.fields;
    let change = MemberChange {
        role: ROLE.read(fields)?,
        name_shown: NAME_SHOWN.read(fields)?,
    };
    let member = members::save(app, operation, SPACE.read(fields)?, MEMBER.read(fields)?, change)?;
    Reply::json(StatusCode::OK, &member)
}

/// The member after `SaveMember`.
fn member_now(app: &App, viewer: &Viewer, object: Object) -> Result<Reply> {
    let owner = object.owner.ok_or(Error::NotFound)?;
    let (space, member) = (SpaceId::from_key(owner.key()), MemberId::from_key(object.id));
    Reply::json(StatusCode::OK, &members::get(app, viewer, space, member)?)
}

fn remove_member(app: &App, operation: Operation, request: &Request) -> Result<Reply> {
    let (space, member) = (SPACE.read(&request.fields)?, MEMBER.read(&request.fields)?);
    members::remove(app, operation, space, member)?;
    Ok(Reply::empty(StatusCode::OK))
}

fn leave_space(app: &App, operation: Operation, request: &Request) -> Result<Reply> {
    members::leave(app, operation, SPACE.read(&request.fields)?)?;
    Ok(Reply::empty(StatusCode::OK))
}

fn dissolve_space(app: &App, operation: Operation, request: &Request) -> Result<Reply> {
    super::dissolve(app, operation, SPACE.read(&request.fields)?)?;
    Ok(Reply::empty(StatusCode::OK))
}

fn save_invitation(app: &App, operation: Operation, request: &Request) -> Result<Reply> {
    let fields = &request.fields;
    let new = NewInvitation {
        role: ROLE.read(fields)?,
        days: DAYS.read(fields)?,
        uses: USES.read(fields)?,
    };
    let base = link_base::base_for(app, &request.client);
    let link = invitations::add(app, operation, SPACE.read(fields)?, new, &base)?;
    Reply::json(StatusCode::CREATED, &link)
}

fn get_invitations(app: &App, viewer: &Viewer, request: &Request) -> Result<Reply> {
    let open = invitations::list(app, viewer, SPACE.read(&request.fields)?)?;
    Reply::json(StatusCode::OK, &open)
}

fn delete_invitation(app: &App, operation: Operation, request: &Request) -> Result<Reply> {
    let (space, id) = (SPACE.read(&request.fields)?, INVITATION.read(&request.fields)?);
    invitations::delete(app, operation, space, id)?;
    Ok(Reply::empty(StatusCode::OK))
}

fn get_space_invitation(app: &App, request: &Request) -> Result<Reply> {
    let viewer = match guard::viewer(app, &request.credentials, None) {
        Ok(viewer) => Some(viewer),
        Err(Error::NotLoggedIn) => None,
        Err(other) => return Err(other),
    };
    let said = invitations::look(app, &LINK.read(&request.fields)?, viewer, request.client.address)?;
    Reply::json(StatusCode::OK, &said)
}

fn accept_space_invitation(app: &App, operation: Operation, request: &Request) -> Result<Reply> {
    let token = LINK.read(&request.fields)?;
    let name_shown = NAME_SHOWN.read(&request.fields)?.unwrap_or(true);
    let space = invitations::accept(app, operation, &token, name_shown, request.client.address)?;
    Reply::json(StatusCode::OK, &space)
}

fn register_by_invitation(app: &App, request: &Request) -> Result<Reply> {
    let (token, email, nickname, password) = new_account(request)?;
    let name_shown = NAME_SHOWN.read(&request.fields)?.unwrap_or(true);
    let account = (email.as_str(), nickname.as_str(), password.as_str());
    made(&invitations::register(
        app,
        &token,
        account,
        name_shown,
        &new_browser(request)?,
    )?)
}
