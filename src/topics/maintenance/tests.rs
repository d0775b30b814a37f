use super::*;
use std::collections::HashSet;

#[test]
fn each_template_has_its_name_its_items_and_its_source() {
    let all = templates(None);
    let names: HashSet<_> = all.iter().map(|template| &template.template).collect();
    assert_eq!(names.len(), all.len());
    for template in &all {
        assert!(
            !template.types.is_empty() && !template.source.is_empty(),
            "{}",
            template.title
        );
        assert!(template.title.chars().count() <= 200 && template.template.len() <= 40);
        let limits = &template.limits;
        assert!(
            limits.cycles.is_none() || template.types == [Kind::Battery],
            "{}",
            template.title
        );
    }
    let of_copters = templates(Some(Kind::Copter));
    assert!(of_copters.iter().all(|template| template.types.contains(&Kind::Copter)));
    assert!(of_copters.len() > 5 && of_copters.len() < all.len());
}
