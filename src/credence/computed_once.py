"""A value of an object that is computed when it is first read.

`functools.cached_property` of Python 3.11 takes a lock that all objects of a class share, which Python 3.12 has removed. A
report reads seven such values, each of an object that only one thread has.
"""

from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

T = TypeVar("T")


class computed_once(Generic[T]):  # noqa: N801 - used as a decorator, like `property`
    """Decorator for a method without arguments: an attribute that keeps what the method returned the first time."""

    def __init__(self, compute: Callable[[Any], T]) -> None:
        self._compute = compute
        self.__doc__ = compute.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, instance: None, owner: type) -> "computed_once[T]": ...

    @overload
    def __get__(self, instance: object, owner: type) -> T: ...

    def __get__(self, instance: object | None, owner: type) -> "computed_once[T] | T":
        """Compute the value and keep it in the object, where Python finds it before this decorator."""
        if instance is None:
            return self
        value = instance.__dict__[self._name] = self._compute(instance)
        return value
