"""The settings as operators see them: value, source and meaning, and never a secret (D18)."""

from pathlib import Path

from credence.settings import Settings

MASK = "********"


def settings_shown(settings: Settings, data_dir: Path | None = None) -> list[dict[str, object]]:
    """Return a row for each setting: `setting`, `value`, `source` and `description`; secrets are masked.

    `data_dir` is the folder given on the command line, if any.
    """
    return [
        {
            "setting": name,
            "value": _masked(name, value),
            "source": _source(settings, name, data_dir),
            "description": Settings.model_fields[name].description or "",
        }
        for name, value in settings.model_dump(mode="json").items()
    ]


def _masked(name: str, value: object) -> object:
    # A setting with `repr=False` is a secret.
    return MASK if value and not Settings.model_fields[name].repr else value


def _source(settings: Settings, name: str, data_dir: Path | None) -> str:
    if name == "data_dir" and data_dir is not None:
        return "--data-dir"
    if name == "store" and settings.store_file is not None:
        return "CREDENCE_STORE_FILE"
    return f"CREDENCE_{name.upper()}" if name in settings.model_fields_set else "default"
