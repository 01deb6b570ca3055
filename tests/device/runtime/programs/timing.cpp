// How long calls take in the program; tests/bench/runtime.cpp runs it.
#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

#include "tests/device/runtime/programs/stubs.hpp"

namespace {

using namespace program;
using Clock = std::chrono::steady_clock;

double microseconds(Clock::duration time) {
  return std::chrono::duration<double, std::micro>(time).count();
}

/// Prints the median and the time within which 95 of 100 calls end, of the quickest of several rounds: what else runs on the machine
/// only ever adds.
template <class Call>
void measure(const char* name, const Call& call) {
  constexpr int kRounds = 20, kTimes = 200;
  std::vector<double> best;
  for (int round = 0; round < kRounds; ++round) {
    std::vector<double> times;
    for (int i = 0; i < kTimes; ++i) {
      const auto begin = Clock::now();
      call();
      times.push_back(microseconds(Clock::now() - begin));
    }
    std::ranges::sort(times);
    if (best.empty() || times[kTimes / 2] < best[kTimes / 2]) best = std::move(times);
  }
  std::printf("%s %.2f %.2f\n", name, best[kTimes / 2], best[kTimes * 95 / 100]);
}

void calls() {
  int *x = nullptr, value = 0;
  ok(cudaMalloc(reinterpret_cast<void**>(&x), sizeof(int)));
  measure("cudaGetDevice", [] {
    int device = 0;
    ok(cudaGetDevice(&device));
  });
  measure("cudaMemcpy-to-device",
          [&] { ok(cudaMemcpy(x, &value, sizeof value, cudaMemcpyHostToDevice)); });
  measure("cudaMemcpy-to-host",
          [&] { ok(cudaMemcpy(&value, x, sizeof value, cudaMemcpyDeviceToHost)); });
  measure("launch", [&] { ok(launch(add_one, {dim3(1), dim3(1)}, x, 0)); });
  ok(cudaDeviceSynchronize());
  measure("launch-and-wait", [&] {
    ok(launch(add_one, {dim3(1), dim3(1)}, x, 0));
    ok(cudaDeviceSynchronize());
  });
  measure("cudaMalloc-and-cudaFree", [] {
    void* pointer = nullptr;
    ok(cudaMalloc(&pointer, 1024));
    ok(cudaFree(pointer));
  });
  ok(cudaFree(x));
}

void first_kernel() {
  int* x = nullptr;
  ok(cudaMalloc(reinterpret_cast<void**>(&x), sizeof(int)));
  ok(launch(add_one, {dim3(1), dim3(1)}, x, 0));
  ok(cudaDeviceSynchronize());
  std::printf("first-kernel-at %.0f\n", microseconds(Clock::now().time_since_epoch()));
  ok(cudaFree(x));
}

}  // namespace

int main(int argc, char** argv) {
  return main_of(argc, argv, {{"calls", calls}, {"first-kernel", first_kernel}});
}
