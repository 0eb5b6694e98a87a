# empirelab in a container: docker build -t empirelab . && docker run --rm -v "$PWD:/work" empirelab games
FROM python:3.11-slim

WORKDIR /opt/empirelab
COPY requirements.lock ./
RUN pip install --no-cache-dir --require-hashes -r requirements.lock
COPY pyproject.toml README.md LICENSE NOTICE empirelab.py ./
COPY sim sim
COPY strategies strategies
COPY reports reports
COPY configs configs
RUN pip install --no-cache-dir --no-deps --no-build-isolation .

# Compiled engines are kept here; a volume keeps them from one container to the next.
ENV EMPIRELAB_CACHE=/var/cache/empirelab
RUN useradd --create-home player && mkdir -p /var/cache/empirelab /work && chown player /var/cache/empirelab /work
USER player
VOLUME /var/cache/empirelab
WORKDIR /work
ENTRYPOINT ["empirelab"]
CMD ["--help"]
