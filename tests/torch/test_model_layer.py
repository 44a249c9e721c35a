"""A trained model as a layer."""

import copy
import math
import pickle

import numpy as np
import pytest
import softwood
import torch
from linear_part_file import with_linear_part
from softwood._core import Column, Table
from softwood.torch import SoftTreeLayer

QUICK = {"trees": 12, "epochs": 4, "verbose": False}
ROWS = 400


@pytest.fixture(scope="module")
def table():
    """Numbers with holes, levels, a date, and responses of three kinds."""
    random = np.random.default_rng(3)
    age, dose = random.uniform(20, 80, ROWS), random.normal(0, 3, ROWS)
    city = random.integers(0, 3, ROWS)
    day = random.uniform(1.6e9, 1.7e9, ROWS)
    effect = np.sin(age / 10) + dose / 4 + (city == 1) + (day > 1.65e9)
    dose[random.uniform(size=ROWS) < 0.1] = np.nan
    city[random.uniform(size=ROWS) < 0.1] = -1
    return Table(
        [
            Column.numeric("age", age),
            Column.numeric("dose", dose),
            Column.categorical("city", city.astype(np.int32), ["Rome", "Oslo", "Bern"]),
            Column.datetime("day", day),
            Column.numeric("y", 100 + 5 * effect + random.normal(size=ROWS)),
            Column.numeric("count", random.poisson(np.exp(effect / 2)).astype(float)),
        ]
    )


FEATURES = ["age", "dose", "city", "day"]


def trained(table, tasks, **options):
    return softwood.train(table, tasks, **{"features": FEATURES, **QUICK, **options})


@pytest.fixture(scope="module")
def model(table):
    return trained(table, {"y": "squared"})


@pytest.fixture(scope="module")
def pair(table):
    return trained(table, {"y": "squared", "count": "poisson"}, share="partly")


def predicted(model, table, name):
    return torch.from_numpy(np.array(model.predict(table)[name]))


def raw(layer, table):
    with torch.no_grad():
        return layer.double()(layer.encode(table))


def test_the_layer_gives_the_models_raw_outputs(model, table):
    layer = SoftTreeLayer.from_model(model)
    assert layer.output_names == ["y.f"]
    mean = predicted(model, table, "mean")
    torch.testing.assert_close(raw(layer, table)[:, 0], mean, rtol=1e-6, atol=0)


def test_the_layer_gives_the_raw_outputs_of_all_tasks(pair, table):
    layer = SoftTreeLayer.from_model(pair)
    assert layer.output_names == ["y.f", "count.log_rate"]
    f = raw(layer, table)
    torch.testing.assert_close(f[:, 0], predicted(pair, table, "y.mean"), rtol=1e-6, atol=0)
    counts = predicted(pair, table, "count.mean").log()
    torch.testing.assert_close(f[:, 1], counts, rtol=0, atol=1e-5)


def test_a_model_with_linear_columns_gives_its_raw_outputs(table):
    model = trained(table, {"y": "squared"}, recipe="paper")
    mean = predicted(model, table, "mean")
    layer = SoftTreeLayer.from_model(model)
    torch.testing.assert_close(raw(layer, table)[:, 0], mean, rtol=1e-6, atol=0)


def test_float32_inputs_give_nearly_the_same(model, table):
    layer = SoftTreeLayer.from_model(model)
    with torch.no_grad():
        f = layer(layer.encode(table))
    assert f.dtype == torch.float32
    torch.testing.assert_close(f.double()[:, 0], predicted(model, table, "mean"), rtol=0, atol=0.02)


def test_a_path_and_a_core_model_will_do(model, table, tmp_path):
    model.save(tmp_path / "y.softwood")
    expected = raw(SoftTreeLayer.from_model(model), table)
    for given in (tmp_path / "y.softwood", str(tmp_path / "y.softwood"), model._core):
        assert torch.equal(raw(SoftTreeLayer.from_model(given), table), expected)


def test_inputs_are_named_and_encoded(model):
    layer = SoftTreeLayer.from_model(model).double()
    kinds = {each.name: each.levels for each in layer.inputs}
    assert list(kinds)[:3] == ["age", "dose", "city"]
    assert sorted(kinds["city"]) == ["Bern", "Oslo", "Rome"]
    assert kinds["age"] is None
    assert "day.time" in kinds
    rows = Table(
        [
            Column.numeric("age", np.array([33.25, np.nan])),
            Column.numeric("dose", np.array([-1.5, 2.0])),
            Column.categorical("city", np.array([0, -1], dtype=np.int32), ["Lima"]),
            Column.datetime("day", np.array([86400.0 * 19000.5, np.nan])),
        ]
    )
    x = dict(zip(kinds, layer.encode(rows).T.tolist(), strict=True))
    assert x["age"][0] == 33.25
    assert math.isnan(x["age"][1])
    assert x["dose"] == [-1.5, 2.0]
    assert x["city"][0] == -1  # a city that the model does not know
    assert math.isnan(x["city"][1])
    assert x["day.time"][0] == 19000.5
    known = kinds["city"].index("Oslo")
    rows = {"age": [1.0], "dose": [1.0], "city": ["Oslo"], "day": [1.65e9]}
    columns = [
        Column.categorical("city", np.zeros(1, dtype=np.int32), ["Oslo"]),
        Column.datetime("day", np.array(rows["day"])),
        *(Column.numeric(name, np.array(rows[name])) for name in ("age", "dose")),
    ]
    assert layer.encode(Table(columns))[0, list(kinds).index("city")] == known


def split_numbers(layer, table, rows):
    """Numeric inputs as a leaf of the graph, and the function of them that the layer is."""
    x = layer.encode(table)[:rows]
    numeric = [i for i, each in enumerate(layer.inputs) if each.levels is None]

    def of_numbers(numbers):
        return layer(x.index_copy(1, torch.tensor(numeric), numbers))

    return x[:, numeric].clone().requires_grad_(), of_numbers


@pytest.mark.parametrize("recipe", ["default", "paper"])
def test_gradients_in_the_inputs_pass_gradcheck(table, recipe):
    model = trained(table, {"y": "squared", "count": "poisson"}, recipe=recipe)
    layer = SoftTreeLayer.from_model(model).double()
    x, of_numbers = split_numbers(layer, table, 12)
    # Steps of 1e-6 stay within a bin: the table's values lie between knots, missing ones are NaN.
    present = torch.nan_to_num(x.detach(), nan=0.1234567).add(1e-3).requires_grad_()
    assert torch.autograd.gradcheck(of_numbers, present)
    assert torch.autograd.grad(of_numbers(present).sum(), present)[0].abs().sum() > 0


def test_gradients_in_the_parameters_pass_gradcheck(table):
    model = trained(table, {"y": "squared"}, trees=4, depth=2, features=["dose", "city"])
    layer = SoftTreeLayer.from_model(model).double()
    names = [name for name, _ in layer.named_parameters()]
    x = layer.encode(table)[:5]
    call = torch.func if hasattr(torch, "func") else torch.nn.utils.stateless

    def with_parameters(*values):
        return call.functional_call(layer, dict(zip(names, values, strict=True)), (x,))

    assert torch.autograd.gradcheck(with_parameters, tuple(layer.parameters()), fast_mode=True)


def test_what_no_small_step_moves_has_no_gradient(model, table):
    layer = SoftTreeLayer.from_model(model).double()
    names = [each.name for each in layer.inputs]
    age, dose, city = (names.index(name) for name in ("age", "dose", "city"))
    x = layer.encode(table)[:3]
    x[:, age] = torch.tensor([500.0, -500.0, 50.0], dtype=x.dtype)
    x[:, dose] = torch.tensor([math.nan, math.inf, 0.1], dtype=x.dtype)
    x.requires_grad_()
    layer(x).sum().backward()
    assert not x.grad[:2, [age, dose]].any()
    assert not x.grad[:, city].any()
    assert x.grad[2, [age, dose]].all()


@pytest.mark.parametrize("wrong", [3.0, -2.0, 0.5, float("inf")])
def test_what_is_no_level_is_named(model, table, wrong):
    layer = SoftTreeLayer.from_model(model)
    x = layer.encode(table)[:2]
    x[1, [each.name for each in layer.inputs].index("city")] = wrong
    with pytest.raises(softwood.Error, match="'city' has 3 levels"):
        layer(x)


def test_an_untouched_layer_goes_back_into_the_same_model(pair, tmp_path):
    pair.save(tmp_path / "before")
    SoftTreeLayer.from_model(pair).to_model().save(tmp_path / "after")
    assert (tmp_path / "before").read_bytes() == (tmp_path / "after").read_bytes()


def test_further_training_lowers_the_loss_and_goes_into_a_model(model, table, tmp_path):
    layer = SoftTreeLayer.from_model(model)
    x = layer.encode(table)
    y = torch.from_numpy(np.array(table["y"])).float()
    optimizer = torch.optim.Adam(layer.parameters(), lr=0.01)
    losses = []
    for _ in range(30):
        optimizer.zero_grad()
        loss = (layer(x)[:, 0] - y).square().mean()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    assert losses[-1] < 0.8 * losses[0]
    before = predicted(model, table, "mean")
    layer.to_model().save(tmp_path / "better.softwood")
    better = predicted(softwood.load(tmp_path / "better.softwood"), table, "mean")
    torch.testing.assert_close(raw(layer, table)[:, 0], better, rtol=1e-6, atol=0)
    assert torch.equal(predicted(model, table, "mean"), before)  # the model stays as it is
    assert (better - y).square().mean() < 0.8 * (before - y).square().mean()


def test_a_layer_is_one_member_of_several(table):
    model = trained(table, {"y": "squared"}, members=2)
    with pytest.raises(softwood.Error, match=r"2 members.*member=0 to member=1.*members=1"):
        SoftTreeLayer.from_model(model)
    with pytest.raises(softwood.Error, match="no member 2"):
        SoftTreeLayer.from_model(model, member=2)
    layers = [SoftTreeLayer.from_model(model, member=member) for member in range(2)]
    f = sum(raw(layer, table)[:, 0] for layer in layers) / 2
    # Of a squared loss the prediction is f itself, so here the average is the model's.
    torch.testing.assert_close(f, predicted(model, table, "mean"), rtol=1e-6, atol=0)
    changed = model
    for layer in layers:
        with torch.no_grad():
            layer.leaves.zero_()
        changed = layer.to_model(changed)
    offset = changed.tasks[0]["outputs"][0][1]
    assert predicted(changed, table, "mean").unique().tolist() == [offset]


def test_trees_go_into_no_other_model(model, pair):
    with pytest.raises(softwood.Error, match="not of the layer's shape"):
        SoftTreeLayer.from_model(model).to_model(pair)


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda each: pickle.loads(pickle.dumps(each))])
def test_copies_are_equal_and_independent(pair, table, copied):
    layer = SoftTreeLayer.from_model(pair)
    twin = copied(layer)
    assert torch.equal(raw(twin, table), raw(layer, table))
    assert twin.inputs == layer.inputs
    with torch.no_grad():
        twin.leaves.zero_()
    assert not torch.equal(raw(twin, table), raw(layer, table))


def test_the_state_goes_into_another_layer_of_the_model(pair, table):
    layer, other = (SoftTreeLayer.from_model(pair) for _ in range(2))
    assert list(layer.state_dict()) == ["curves", "biases", "leaves"]
    with torch.no_grad():
        layer.leaves.mul_(2)
    other.load_state_dict(layer.state_dict())
    assert torch.equal(raw(other, table), raw(layer, table))


def test_a_fresh_layer_knows_no_table_and_no_model(table):
    layer = SoftTreeLayer(3, 1)
    assert (layer.inputs, layer.output_names) == ([], [])
    with pytest.raises(softwood.Error, match="knows no columns"):
        layer.encode(table)
    with pytest.raises(softwood.Error, match="no model to go back to"):
        layer.to_model()


def test_a_linear_part_is_added_and_stays(pair, table, tmp_path):
    pair.save(tmp_path / "trees.softwood")
    changed = with_linear_part((tmp_path / "trees.softwood").read_bytes())
    (tmp_path / "linear.softwood").write_bytes(changed)
    model = softwood.Model.load(tmp_path / "linear.softwood")
    layer = SoftTreeLayer.from_model(model)
    mean = predicted(model, table, "y.mean")
    torch.testing.assert_close(raw(layer, table)[:, 0], mean, rtol=1e-6, atol=0)
    assert not torch.allclose(mean, predicted(pair, table, "y.mean"))
    layer.double().to_model().save(tmp_path / "back.softwood")
    model.save(tmp_path / "again.softwood")
    assert (tmp_path / "back.softwood").read_bytes() == (tmp_path / "again.softwood").read_bytes()


@pytest.mark.parametrize("keep_trees", [True, False])
def test_gradients_through_a_linear_part_pass_gradcheck(model, table, tmp_path, keep_trees):
    model.save(tmp_path / "trees.softwood")
    changed = with_linear_part((tmp_path / "trees.softwood").read_bytes(), keep_trees=keep_trees)
    (tmp_path / "linear.softwood").write_bytes(changed)
    layer = SoftTreeLayer.from_model(tmp_path / "linear.softwood").double()
    x, of_numbers = split_numbers(layer, table, 8)
    present = torch.nan_to_num(x.detach(), nan=0.1234567).add(1e-3).requires_grad_()
    assert torch.autograd.gradcheck(of_numbers, present)
