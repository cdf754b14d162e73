"""JSON spoilt by chance: one value in it replaced by another."""

from typing import Any

from hypothesis import strategies as st


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:  # noqa: ANN401 - JSON
    """Return the paths to all values in a piece of JSON."""
    items: list[tuple[Any, Any]] = []
    if isinstance(value, dict):
        items = list(value.items())
    elif isinstance(value, list):
        items = list(enumerate(value))
    below = [place for key, inner in items for place in places(inner, (*path, key))]
    return [path, *below] if path else below


def put(value: Any, path: tuple[Any, ...], new: object) -> None:  # noqa: ANN401 - JSON
    """Set the value at a path in a piece of JSON."""
    for key in path[:-1]:
        value = value[key]
    value[path[-1]] = new


ANYTHING = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-2, 6),
    st.sampled_from([2**31, 2**63, 2**64, -(2**70), 10**6]),
    st.text(max_size=5),
    st.sampled_from(["undo", "redo", "edit", "import", "0001-01-01T00:00:00+14:00"]),
    st.sampled_from(["9999-12-31T23:59:59-14:00", "{}", "null", '{"event":"no_best_hand"}']),
    st.just([]),
    st.just({}),
)
