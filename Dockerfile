# Two images: `docker build --target cpu -t glueball:cpu .` and `--target cuda -t glueball:cuda`.
# Run one with `docker run --rm -it -v "$PWD:/work" glueball:cpu`, the other with `--gpus all` too.

FROM python:3.11-slim AS base
ENV PIP_NO_CACHE_DIR=1 PYTHONUNBUFFERED=1
# OpenCV's wheel and the drawing of networks need these libraries of the system.
RUN apt-get update \
    && apt-get install -y --no-install-recommends graphviz libglib2.0-0 \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /src

FROM base AS wheel
COPY pyproject.toml setup.py README.md LICENSE NOTICE MANIFEST.in ./
COPY docs docs
COPY src src
RUN pip wheel --no-deps --wheel-dir /dist .

FROM base AS cuda
# The index's own torch is the build for CUDA; its wheels bring the libraries of CUDA along.
COPY constraints.txt .
COPY --from=wheel /dist /dist
RUN pip install -c constraints.txt "$(echo /dist/glueball-*.whl)[images,onnx,plot,safetensors]" \
    && glueball doctor
WORKDIR /work
CMD ["python"]

FROM base AS cpu
# Where the package index has the build for CPUs under this version; otherwise give another one:
# --build-arg TORCH=torch==2.13.0
ARG TORCH=
COPY constraints.txt .
COPY --from=wheel /dist /dist
RUN pip install "${TORCH:-$(grep '^torch==' constraints.txt)+cpu}" \
    && grep -v '^torch==' constraints.txt > others.txt \
    && pip install -c others.txt "$(echo /dist/glueball-*.whl)[images,onnx,plot,safetensors]" \
    && glueball doctor
WORKDIR /work
CMD ["python"]
