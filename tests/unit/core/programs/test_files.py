"""The files of a program."""

from core.programs import files, planning


def test_reads_data_beside_a_module():
    assert files.data_of(planning.__name__, "signing.py").startswith('"""How the agent')


def test_a_file_that_changes_comes_or_goes_is_a_change(tmp_path):
    settings, program = tmp_path / "lead.json", tmp_path / "lead.pyz"
    program.write_bytes(b"\x80")
    first = files.read_files(program, settings)
    assert first == {program: b"\x80"}
    settings.write_text("{}")
    second = files.read_files(program, settings)
    program.write_bytes(b"\x81")
    third = files.read_files(program, settings)
    program.unlink()
    assert len({str(one) for one in (first, second, third, files.read_files(program, settings))}) == 4
