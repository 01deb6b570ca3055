// Moves particles one step along x, twice: once with a
// structure for each particle, once with an array for
// each field. CUDA's events tell how long each takes.
// nvcc -o move move.cu && ./move
#include <cstdio>
#include <cstdlib>
#include <vector>

// Ends the program where a CUDA call fails.
#define CHECK(call)                           \
  do {                                        \
    cudaError_t error = (call);               \
    if (error != cudaSuccess) {               \
      fprintf(stderr, "line %d: %s\n",        \
              __LINE__,                       \
              cudaGetErrorString(error));     \
      exit(EXIT_FAILURE);                     \
    }                                         \
  } while (0)

struct Particle {
  float x, y, z, vx, vy, vz, mass, charge;
};

// One step along x, the particles as structures.
__global__ void aos(Particle* p, int n, float dt) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    p[i].x += p[i].vx * dt;
  }
}

// The same step, with an array for each field.
__global__ void soa(float* x, const float* vx,
                    int n, float dt) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    x[i] += vx[i] * dt;
  }
}

// Milliseconds from one event to another.
float between(cudaEvent_t begin, cudaEvent_t end) {
  float ms = 0;
  CHECK(cudaEventSynchronize(end));
  CHECK(cudaEventElapsedTime(&ms, begin, end));
  return ms;
}

int main() {
  const int n = 1 << 17;
  const float dt = 0.5f;
  std::vector<Particle> particles(n);
  std::vector<float> x(n), vx(n), moved(n);
  for (int i = 0; i < n; ++i) {
    x[i] = float(i % 1000);
    vx[i] = float(i % 7 - 3);
    particles[i] = {x[i], 0, 0, vx[i], 0, 0, 1, 0};
  }

  Particle* d_particles;
  float *d_x, *d_vx;
  CHECK(cudaMalloc(&d_particles, n * sizeof(Particle)));
  CHECK(cudaMalloc(&d_x, n * sizeof(float)));
  CHECK(cudaMalloc(&d_vx, n * sizeof(float)));
  CHECK(cudaMemcpy(d_particles, particles.data(),
                   n * sizeof(Particle),
                   cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(d_x, x.data(), n * sizeof(float),
                   cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(d_vx, vx.data(), n * sizeof(float),
                   cudaMemcpyHostToDevice));

  cudaEvent_t begin, middle, end;
  CHECK(cudaEventCreate(&begin));
  CHECK(cudaEventCreate(&middle));
  CHECK(cudaEventCreate(&end));
  const int block = 256;
  const int blocks = (n + block - 1) / block;
  CHECK(cudaEventRecord(begin));
  aos<<<blocks, block>>>(d_particles, n, dt);
  CHECK(cudaGetLastError());
  CHECK(cudaEventRecord(middle));
  soa<<<blocks, block>>>(d_x, d_vx, n, dt);
  CHECK(cudaGetLastError());
  CHECK(cudaEventRecord(end));
  printf("structures %.4f ms, arrays %.4f ms\n",
         between(begin, middle), between(middle, end));

  CHECK(cudaMemcpy(particles.data(), d_particles,
                   n * sizeof(Particle),
                   cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(moved.data(), d_x, n * sizeof(float),
                   cudaMemcpyDeviceToHost));
  CHECK(cudaEventDestroy(begin));
  CHECK(cudaEventDestroy(middle));
  CHECK(cudaEventDestroy(end));
  CHECK(cudaFree(d_particles));
  CHECK(cudaFree(d_x));
  CHECK(cudaFree(d_vx));

  for (int i = 0; i < n; ++i) {
    const float truth = x[i] + vx[i] * dt;
    if (particles[i].x != truth || moved[i] != truth) {
      printf("particle %d is at %g and %g, not %g\n", i,
             particles[i].x, moved[i], truth);
      printf("FAIL\n");
      return EXIT_FAILURE;
    }
  }
  printf("PASS\n");
}
