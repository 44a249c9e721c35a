"""Fresh trees inside a network."""

import copy
import io
import pickle
import subprocess
import sys
import threading

import pytest
import softwood
import torch
from softwood.torch import SoftTreeLayer
from torch import nn

from bench.torch.plain_trees import PlainTrees


def lively(layer):
    """Leaves start nearly equal; these make every gradient large enough to be checked."""
    generator = torch.Generator().manual_seed(5)
    with torch.no_grad():
        layer.leaves.copy_(torch.randn(layer.leaves.shape, generator=generator))
        layer.biases.copy_(torch.randn(layer.biases.shape, generator=generator) / 5)
    return layer


def make(inputs=3, outputs=2, double=False, **options):
    layer = lively(SoftTreeLayer(inputs, outputs, **{"trees": 4, "depth": 2, **options}))
    return layer.double() if double else layer


def some_rows(rows=6, inputs=3, dtype=torch.float32, seed=1):
    x = torch.randn(rows, inputs, generator=torch.Generator().manual_seed(seed))
    return x.to(dtype).requires_grad_()


def gradients(layer, x):
    """Of a sum that weighs all outputs differently, in x and the parameters."""
    out = layer(x)
    weights = torch.arange(1, out.numel() + 1, dtype=out.dtype).reshape(out.shape) / out.numel()
    return torch.autograd.grad((out * weights).sum(), (x, *layer.parameters()))


@pytest.mark.parametrize("activation", ["smooth_step", "logistic"])
@pytest.mark.parametrize(("depth", "outputs"), [(1, 1), (2, 3), (4, 2)])
def test_gradients_in_inputs_and_parameters_pass_gradcheck(activation, depth, outputs):
    layer = make(3, outputs, double=True, activation=activation, depth=depth, trees=3)
    names = [name for name, _ in layer.named_parameters()]
    call = torch.func if hasattr(torch, "func") else nn.utils.stateless

    def with_parameters(x, *values):
        return call.functional_call(layer, dict(zip(names, values, strict=True)), (x,))

    inputs = (some_rows(dtype=torch.float64), *layer.parameters())
    assert torch.autograd.gradcheck(with_parameters, inputs)


@pytest.mark.parametrize(("rows", "inputs", "outputs"), [(1, 1, 1), (17, 3, 1), (40, 19, 5)])
def test_the_layer_is_soft_trees_as_plain_torch_computes_them(rows, inputs, outputs):
    layer = make(inputs, outputs, double=True, depth=3, trees=21, gamma=2.0)
    plain = PlainTrees(layer, depth=3, gamma=2.0)
    x = some_rows(rows, inputs, torch.float64)
    torch.testing.assert_close(layer(x), plain(x))
    for ours, theirs in zip(gradients(layer, x), gradients(plain, x), strict=True):
        torch.testing.assert_close(ours, theirs)


@pytest.mark.parametrize("rows", [0, 1, 15, 16, 33])
def test_float32_equals_float64_to_float_accuracy(rows):
    layer = make(5, 2, trees=40, depth=4)
    twin = copy.deepcopy(layer).double()
    x = some_rows(rows, 5)
    exact = x.detach().double().requires_grad_()
    torch.testing.assert_close(layer(x).double(), twin(exact), atol=3e-5, rtol=0)
    for single, double in zip(gradients(layer, x), gradients(twin, exact), strict=True):
        torch.testing.assert_close(single.double(), double, atol=1e-4, rtol=0)


def test_any_number_of_threads_gives_the_same_bits():
    x = some_rows(300, 5)
    results = [
        (layer(x), *gradients(layer, x))
        for layer in (make(5, trees=70, threads=threads) for threads in (1, 2, 5))
    ]
    for others in results[1:]:
        assert all(torch.equal(a, b) for a, b in zip(results[0], others, strict=True))


def test_without_gradients_the_outputs_have_the_same_bits():
    layer, x = make(5, trees=70), some_rows(3000, 5)
    with torch.no_grad():
        quick = layer(x)
    assert not quick.requires_grad
    assert torch.equal(quick, layer(x))


def test_leading_dimensions_are_kept():
    layer, x = make(), some_rows(24).reshape(2, 3, 4, 3)
    assert layer(x).shape == (2, 3, 4, 2)
    assert torch.equal(layer(x).reshape(-1, 2), layer(x.reshape(-1, 3)))
    assert layer(x[0, 0, 0]).shape == (2,)


def test_strided_tensors_mean_what_they_say():
    layer, wide = make(), some_rows(6, 12)
    strided, flipped = wide[:, ::4], wide.T[:6, :3]
    for x in (strided, flipped):
        assert not x.is_contiguous()
        assert torch.equal(layer(x), layer(x.contiguous()))
    strided_gradient = torch.autograd.grad(layer(strided).sum(), wide)[0]
    plain = strided.detach().clone().requires_grad_()
    assert torch.equal(strided_gradient[:, ::4], torch.autograd.grad(layer(plain).sum(), plain)[0])


def test_no_rows_give_no_outputs_and_zero_gradients():
    layer, x = make(), some_rows(0)
    assert layer(x).shape == (0, 2)
    layer(x).sum().backward()
    assert x.grad.shape == (0, 3)
    assert all(not each.grad.any() for each in layer.parameters())


def test_a_nan_spoils_its_own_row_only():
    layer, x = make(), some_rows(20)
    clean = layer(x)
    spoiled = x.detach().clone()
    spoiled[4, 1] = float("nan")
    out = layer(spoiled)
    assert out[4].isnan().all()
    assert torch.equal(torch.cat([out[:4], out[5:]]), torch.cat([clean[:4], clean[5:]]))


def test_a_second_way_back_gives_the_same_bits():
    layer, x = make(), some_rows()
    out = layer(x).square().sum()
    first = torch.autograd.grad(out, (x, *layer.parameters()), retain_graph=True)
    second = torch.autograd.grad(out, (x, *layer.parameters()))
    assert all(torch.equal(a, b) for a, b in zip(first, second, strict=True))


@pytest.mark.parametrize("power", [1, 2])
def test_differentiating_twice_is_refused(power):
    layer, x = make(), some_rows()
    (gradient,) = torch.autograd.grad((layer(x) ** power).sum(), x, create_graph=True)
    with pytest.raises(softwood.Error, match="once, not twice"):
        gradient.square().sum().backward()


@pytest.mark.parametrize(
    ("x", "message"),
    [
        (torch.zeros(4, 5), r"3 inputs, x has the shape \(4, 5\)"),
        (torch.tensor(1.0), "3 inputs"),
        (torch.zeros(4, 3, dtype=torch.float64), "torch.float64 and the layer torch.float32"),
        (torch.zeros(4, 3, dtype=torch.int64), "torch.int64"),
        (torch.zeros(4, 3, device="meta"), "on the CPU, x is on 'meta'"),
    ],
)
def test_an_unfit_tensor_is_named(x, message):
    with pytest.raises(softwood.Error, match=message):
        make()(x)


def test_half_precision_is_refused():
    with pytest.raises(softwood.Error, match="float16"):
        make().half()(torch.zeros(4, 3, dtype=torch.float16))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"depth": 0}, "depth = 0"),
        ({"depth": 13}, "depth = 13"),
        ({"trees": 0}, "trees = 0"),
        ({"in_features": 0}, "in_features = 0"),
        ({"out_features": 0}, "out_features = 0"),
        ({"gamma": 0.0}, "gamma = 0"),
        ({"gamma": float("nan")}, "gamma = nan"),
        ({"activation": "relu"}, "'relu' is unknown"),
    ],
)
def test_an_option_out_of_range_is_named(options, message):
    with pytest.raises(softwood.Error, match=message):
        SoftTreeLayer(**{"in_features": 3, "out_features": 2, **options})


def test_same_seed_same_start():
    one, same, other = (SoftTreeLayer(3, 2, seed=seed) for seed in (1, 1, 2))
    assert torch.equal(one.curves, same.curves)
    assert torch.equal(one.leaves, same.leaves)
    assert not torch.equal(one.curves, other.curves)
    assert one.curves.abs().max() > 0.1
    assert not one.biases.any()


def test_the_state_reads_well_and_comes_back():
    layer, other = make(), make(seed=9)
    state = layer.state_dict()
    assert {name: tuple(each.shape) for name, each in state.items()} == {
        "curves": (4, 3, 3),
        "biases": (4, 3),
        "leaves": (4, 4, 2),
    }
    other.load_state_dict(state)
    x = some_rows()
    assert torch.equal(layer(x), other(x))


def saved_and_loaded(layer):
    file = io.BytesIO()
    torch.save(layer, file)
    file.seek(0)
    try:
        return torch.load(file, weights_only=False)
    except TypeError:  # an old torch has no such argument
        file.seek(0)
        return torch.load(file)


@pytest.mark.parametrize(
    "copied", [copy.deepcopy, lambda each: pickle.loads(pickle.dumps(each)), saved_and_loaded]
)
def test_copies_are_equal_and_independent(copied):
    layer, x = make(activation="logistic"), some_rows()
    before = layer(x)
    twin = copied(layer)
    assert torch.equal(twin(x), before)
    with torch.no_grad():
        twin.leaves.zero_()
    assert not twin(x).any()
    assert torch.equal(layer(x), before)


def test_frozen_trees_still_pass_gradients_on():
    layer, x = make(), some_rows()
    free = gradients(layer, x)[0]
    layer.requires_grad_(False)
    out = layer(x)
    weights = torch.arange(1, out.numel() + 1, dtype=out.dtype).reshape(out.shape) / out.numel()
    (out * weights).sum().backward()
    assert torch.equal(x.grad, free)
    assert all(each.grad is None for each in layer.parameters())


def test_inputs_that_need_no_gradient_get_none():
    layer, x = make(), some_rows().detach()
    layer(x).sum().backward()
    assert x.grad is None
    assert layer.curves.grad.any()


def test_a_network_with_trees_inside_learns_exclusive_or():
    torch.manual_seed(0)
    network = nn.Sequential(nn.Linear(2, 4), SoftTreeLayer(4, 3, trees=8), nn.Linear(3, 1))
    x = torch.tensor([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    y = torch.tensor([[0.0], [1.0], [1.0], [0.0]])
    optimizer = torch.optim.Adam(network.parameters(), lr=0.05)
    for _ in range(200):
        optimizer.zero_grad()
        loss = nn.functional.binary_cross_entropy_with_logits(network(x), y)
        loss.backward()
        optimizer.step()
    assert loss.item() < 0.05
    assert torch.equal((network(x) > 0).float(), y)


def test_other_threads_run_while_trees_work():
    layer, x = make(20, trees=200, depth=5, threads=1), some_rows(8000, 20)
    ticks, done = [], threading.Event()

    def tick():
        while not done.wait(0.001):
            ticks.append(1)

    clock = threading.Thread(target=tick)
    clock.start()
    out = layer(x)
    after_forward = len(ticks)
    out.sum().backward()
    after_backward = len(ticks)
    done.set()
    clock.join()
    assert after_forward > 3
    assert after_backward > after_forward + 3


def in_fresh_python(code):
    path = ":".join(sys.path)
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env={"PYTHONPATH": path}
    )


def test_softwood_alone_does_not_load_torch():
    done = in_fresh_python("import softwood, sys; assert 'torch' not in sys.modules")
    assert done.returncode == 0, done.stderr


def test_without_torch_the_module_says_what_to_install():
    done = in_fresh_python("import sys; sys.modules['torch'] = None; import softwood.torch")
    assert done.returncode == 1
    assert "ImportError: softwood.torch needs PyTorch: install it" in done.stderr


def test_a_graph_that_lives_at_the_end_is_no_complaint():
    done = in_fresh_python(
        "import torch, softwood.torch as t; y = t.SoftTreeLayer(2, 1)(torch.zeros(3, 2)).sum()"
    )
    assert (done.returncode, done.stderr) == (0, "")
