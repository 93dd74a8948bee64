"""Functions of x and y whose gradients other libraries compute too, each as ours and as torch and JAX write it."""

from __future__ import annotations

import re

SAME = (
    "x / y - y / x", "x * x * y", "x ** 3 + y ** -1.5", "x ** y", "2.0 ** x", "abs(x - 0.4) * y", "x % y",
    "T.sqrt(x * y)", "T.rsqrt(x)", "T.exp(x * y)", "T.log(x)", "T.sin(x) * T.cos(y)", "T.tan(x)", "T.asin(x)", "T.acos(y)", "T.atan2(x, y)",
    "T.expm1(x) * T.log1p(y)",
    "T.sinh(x)", "T.cosh(y)", "T.tanh(x * 3.0)", "T.floor(x * 3.0) * x + T.ceil(y * 9.0)", "T.tanh(T.exp(T.sin(x)) / T.sqrt(y))",
)  # fmt: skip
"""Those that all write alike, with T for the library; x and y are the numbers here, and arrays there."""

OURS = {text: re.sub(r"\b[xy]\b", r"\g<0>[i]", text).replace("T.", "qd.") for text in SAME} | {
    "min, max": "qd.min(x[i], 0.4) * qd.max(x[i], y[i])",
    "select": "qd.select(x[i] > 0.4, x[i] * y[i], y[i])",
    "clamp": "qd.math.clamp(x[i], 0.2, 0.6)",
    "norm": "qd.Vector([x[i], y[i], 1.0]).norm()",
    "inverse": "qd.Matrix([[x[i] + 1.0, y[i]], [0.5, 2.0]]).inverse().sum()",
}

TORCH = {text: text.replace("T.", "torch.") for text in SAME} | {
    "min, max": "torch.clamp(x, max=0.4) * torch.maximum(x, y)",
    "select": "torch.where(x > 0.4, x * y, y)",
    "clamp": "torch.clamp(x, 0.2, 0.6)",
    "norm": "torch.stack([x, y, torch.ones_like(x)]).norm(dim=0)",
    "inverse": "torch.stack([x + 1, y, torch.full_like(x, 0.5), torch.full_like(x, 2)], 1).reshape(N, 2, 2).inverse().sum((1, 2))",
}

JAX = {text: text.replace("T.rsqrt", "jax.lax.rsqrt").replace("T.", "jnp.") for text in SAME} | {
    "min, max": "jnp.minimum(x, 0.4) * jnp.maximum(x, y)",
    "select": "jnp.where(x > 0.4, x * y, y)",
    "clamp": "jnp.clip(x, 0.2, 0.6)",
    "norm": "jnp.linalg.norm(jnp.stack([x, y, jnp.ones_like(x)]), axis=0)",
    "inverse": "jnp.linalg.inv(jnp.stack([x + 1, y, jnp.full_like(x, 0.5), jnp.full_like(x, 2)], 1).reshape(N, 2, 2)).sum((1, 2))",
}
