"""`computed_once`: an attribute that is computed when it is first read."""

import msgspec

from credence.computed_once import computed_once


class Circle(msgspec.Struct, frozen=True, dict=True):
    radius: int
    asked: list[int]

    @computed_once
    def diameter(self) -> int:
        """Twice the radius."""
        self.asked.append(self.radius)
        return 2 * self.radius


def test_the_value_is_computed_at_the_first_read_alone() -> None:
    circle = Circle(3, [])
    assert circle.asked == []
    assert (circle.diameter, circle.diameter) == (6, 6)
    assert circle.asked == [3]


def test_each_object_has_its_own_value() -> None:
    assert (Circle(3, []).diameter, Circle(4, []).diameter) == (6, 8)


def test_the_class_has_the_documentation_of_the_method() -> None:
    assert Circle.diameter.__doc__ == "Twice the radius."
