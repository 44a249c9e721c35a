"""The code of docs/torch.md runs as written, from top to bottom."""

import re
from pathlib import Path

PAGE = Path(__file__).resolve().parents[2] / "docs/torch.md"


def test_the_page_runs_from_top_to_bottom(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text(), flags=re.DOTALL)
    assert len(blocks) == 4
    names = {}
    for block in blocks:
        exec(compile(block, str(PAGE), "exec"), names)
    said = capsys.readouterr().out.splitlines()
    assert said[:2] == ["['age', 'dose', 'city']", "['ill.f']"]
    assert said[2].startswith("a dose of ")
    assert (tmp_path / "patients.softwood").exists()
