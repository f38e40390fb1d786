/** Names that no JSON and no browser knows; builds make them short. Explicit, so that nothing else can be caught by it. */
export const OURS =
  /^(safely|intercept|lifecycle|isFirst|isNew|startedAt|gaveUp|annotations|emit|snapshotReact|chars|others|recent|repeats|note|later|finish|running|nodes|asked|started|hurry|configure|latest|chunks|wrapper|owner|native|around|called|returned|meant|noted|alive|switches|spent|tooSlow|answered|probed|isSearching|isFailing|succeeded|failed)$/;
