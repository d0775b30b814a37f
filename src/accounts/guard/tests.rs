use super::*;

const SPACE: OwnerId = OwnerId::from_key(7);

fn with_member(work: impl FnOnce(&Snapshot<'_>, &Viewer, &Viewer), membership: MembershipRecord) {
    let [anna, ben] = [1, 2].map(|user| Viewer {
        user: UserId::from_key(user),
    });
    let directory = tempfile::tempdir().unwrap();
    let store = fluglog_store::Store::open(directory.path(), true).unwrap();
    store
        .write(move |writer| writer.put((SPACE.key(), ben.user.key()), &membership))
        .unwrap();
    store
        .read(|data| {
            work(data, &anna, &ben);
            Ok(())
        })
        .unwrap();
}

#[test]
fn equipment_is_open_to_its_owner_and_to_the_members_of_its_space() {
    let member = MembershipRecord::new(Right::Use, 0, true);
    with_member(
        |data, anna, ben| {
            let own = Access::own(anna).owner();
            assert!(Access::to(data, anna, own).is_ok_and(|access| access.is_own()));
            assert_eq!(Access::to(data, ben, own).map(drop), Err(Error::NotFound));
            assert_eq!(Access::to(data, anna, SPACE).map(drop), Err(Error::NotFound));
            let shared = Access::to(data, ben, SPACE).unwrap();
            assert_eq!((shared.owner(), shared.right()), (SPACE, Some(Right::Use)));
            assert_eq!((shared.member(), Access::own(ben).member()), (Some(ben.user), None));
        },
        member,
    );
}

#[test]
fn a_former_member_has_no_access_and_is_told_why() {
    let former = MembershipRecord {
        ended: Some(5),
        ..MembershipRecord::new(Right::Manage, 0, true)
    };
    with_member(
        |data, _anna, ben| {
            let refused = Error::Forbidden(text::NO_MEMBER_ANY_MORE);
            assert_eq!(Access::to(data, ben, SPACE).map(drop), Err(refused));
        },
        former,
    );
}

#[test]
fn a_right_includes_those_before_it_and_none_behind() {
    for (at, right) in Right::ALL.into_iter().enumerate() {
        let access = Access {
            owner: OwnerId::from_key(1),
            standing: Standing::Member(UserId::from_key(2), right),
        };
        let allowed = Right::ALL.map(|asked| access.check(asked));
        assert!(allowed[..=at].iter().all(Result::is_ok));
        let refused = Err(Error::Forbidden(text::RIGHT_MISSING));
        assert!(allowed[at + 1..].iter().all(|answer| *answer == refused));
    }
}
