"""Losses of the catalogue once more, as Python functions: line by line what their texts say."""

import numpy as np
import softwood as sw
from scipy import special


def squared(y, f):
    return {"loss": (y - f) ** 2, "mean": f}


def huber(y, f, delta=1):
    distance = abs(y - f)
    return {
        "distance": distance,
        "loss": sw.where(distance <= delta, distance**2 / 2, delta * (distance - delta / 2)),
        "mean": f,
        "require": delta > 0,
    }


def quantile(y, f, tau=0.5):
    return {
        "loss": np.maximum(tau * (y - f), (tau - 1) * (y - f)),
        "quantile": f,
        "require": (tau > 0) & (tau < 1),
    }


def logistic(y, f):
    probability = special.expit(f)
    return {
        "loss": y * sw.softplus(-f) + (1 - y) * sw.softplus(f),
        "probability": probability,
        "variance": probability * (1 - probability),
        "cdf": lambda q: sw.where(q < 0, 0, sw.where(np.floor(q) < 1, 1 - probability, 1)),
        "require": (y >= 0) & (y <= 1),
        "unit": {"f": 1},
    }


def poisson(y, log_rate, exposure=1):
    mean = exposure * np.exp(log_rate)
    return {
        "mean": mean,
        "rate": np.exp(log_rate),
        "variance": mean,
        "loss": mean - y * (log_rate + np.log(exposure)) + special.gammaln(y + 1),
        "cdf": lambda q: np.where(q < 0, 0, special.gammaincc(np.floor(q) + 1, mean)),
        "require": (y >= 0) & (exposure > 0),
    }


def zero_inflated_poisson(y, log_mu, logit_pi, exposure=1):
    mu = exposure * np.exp(log_mu)
    pi = sw.sigmoid(logit_pi)
    mean = pi * mu
    any_loss = -(np.log(pi) - mu + y * (log_mu + np.log(exposure)) - sw.lgamma(y + 1))
    return {
        "mu": mu,
        "pi": pi,
        "mean": mean,
        "variance": mean * (1 + mu * (1 - pi)),
        "loss": sw.where(y == 0, -np.log(1 - pi + pi * np.exp(-mu)), any_loss),
        "cdf": lambda q: sw.where(q < 0, 0, 1 - pi * sw.gamma_p(np.floor(q) + 1, mu)),
        "require": (y >= 0) & (y == np.floor(y)) & (exposure > 0),
    }


def normal(y, mu, log_sigma):
    sd = np.exp(log_sigma)
    return {
        "mean": mu,
        "sd": sd,
        "variance": sd**2,
        "loss": log_sigma + ((y - mu) * np.exp(-log_sigma)) ** 2 / 2 + sw.log(2 * np.pi) / 2,
        "cdf": lambda q: special.ndtr((q - mu) * np.exp(-log_sigma)),
    }


def softmax(y, f, classes):
    return {
        "loss": sw.logsumexp(f) - f[y],
        "probability": sw.softmax(f),
        "require": (y >= 0) & (y < classes) & (y == np.floor(y)),
        "unit": {"f": 1},
    }


def weibull_aft(y, log_scale, log_shape, event=1):
    shape = np.exp(log_shape)
    sigma = np.exp(-log_shape)
    mean = np.exp(log_scale + special.gammaln(1 + sigma))
    log_hazard = shape * (np.log(y) - log_scale)
    spread = np.exp(sw.lgamma(1 + 2 * sigma) - 2 * sw.lgamma(1 + sigma)) - 1
    return {
        "scale": np.exp(log_scale),
        "shape": shape,
        "_sigma": sigma,
        "mean": mean,
        "median": np.exp(log_scale + sigma * sw.log(sw.log(2))),
        "variance": mean**2 * spread,
        "_log_hazard": log_hazard,
        "loss": np.exp(log_hazard) - event * (log_hazard + log_shape - np.log(y)),
        "cdf": lambda q: sw.where(q <= 0, 0, 1 - np.exp(-np.exp(shape * (np.log(q) - log_scale)))),
        "censored": event == 0,
        "require": (y > 0) & ((event == 0) | (event == 1)),
    }


def multi_quantile(y, step, levels=(0.1, 0.5, 0.9)):
    count = sw.size(levels)
    distances = np.cumsum(sw.where(sw.range(count) == 0, 0, np.exp(step)))
    quantile = step[0] + (distances - distances[np.floor(count / 2)])
    loss = np.sum(np.maximum(levels * (y - quantile), (levels - 1) * (y - quantile))) / count
    return {
        "quantile": quantile,
        "label": {"quantile": levels},
        "loss": loss,
        "require": (np.min(sw.diff(levels)) > 0) & (np.max(levels) < 1),
    }


# Function, its outputs, and the responses it is tried on.
TWINS = [
    (squared, "f", [-1.5, 0.0, 2.0]),
    (huber, "f", [-1.5, 0.0, 2.0]),
    (quantile, "f", [-1.5, 0.0, 2.0]),
    (logistic, "f", [0.0, 1.0, 0.25]),
    (poisson, "log_rate", [0.0, 1.0, 17.0]),
    (zero_inflated_poisson, ("log_mu", "logit_pi"), [0.0, 1.0, 17.0]),
    (normal, ("mu", "log_sigma"), [-1.5, 0.0, 2.0]),
    (softmax, "f[classes]", [0.0, 1.0, 2.0]),
    (weibull_aft, ("log_scale", "log_shape"), [0.5, 1.0, 7.0]),
    (multi_quantile, "step[size(levels)]", [-1.5, 0.0, 2.0]),
]
