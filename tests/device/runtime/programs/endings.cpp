// The ways in which a program ends, and what it prints until then.
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <thread>

#include "tests/device/runtime/programs/stubs.hpp"

namespace {

using namespace program;

void prints() {
  std::printf("before\n");
  ok(launch(print_threads, {dim3(1), dim3(3)}));
  ok(cudaDeviceSynchronize());
  std::printf("after\n");
}

/// Ends before the kernel's output was fetched.
void prints_and_leaves() { ok(launch(print_threads, {dim3(1), dim3(3)})); }

void fails_assertion() {
  ok(launch(fail_assertion, {dim3(1), dim3(4)}, 3));
  expect(cudaDeviceSynchronize(), cudaErrorAssert);
}

void null_pointer() { *static_cast<volatile int*>(nullptr) = 1; }

void aborts() { std::abort(); }

void exits() { std::exit(7); }

void kills_itself() { ::kill(::getpid(), SIGKILL); }

void hangs() {
  while (true) std::this_thread::sleep_for(std::chrono::seconds(1));
}

void kernel_hangs() {
  int* flag = nullptr;
  ok(cudaMallocManaged(reinterpret_cast<void**>(&flag), 4, cudaMemAttachGlobal));
  *flag = 0;
  ok(launch(spin_for_ever, {dim3(1), dim3(1)}, flag));
  ok(cudaDeviceSynchronize());
}

/// Ends while its kernel runs, and would for ever.
void leaves_kernel() {
  int* flag = nullptr;
  ok(cudaMallocManaged(reinterpret_cast<void**>(&flag), 4, cudaMemAttachGlobal));
  *flag = 0;
  ok(launch(spin_for_ever, {dim3(1), dim3(1)}, flag));
}

/// A process that was forked off cannot use the parent's device; the parent still can.
void forks() {
  const pid_t child = ::fork();
  if (child == 0) {
    void* x = nullptr;
    ::_exit(cudaMalloc(&x, 4) == cudaErrorInitializationError ? 0 : 1);
  }
  int status = -1;
  expect_equal(::waitpid(child, &status, 0), child);
  expect_equal(status, 0);
  void* x = nullptr;
  ok(cudaMalloc(&x, 4));
  ok(cudaFree(x));
}

/// A child lives on when the program has ended.
void leaves_child() {
  if (::fork() == 0) {
    ::close(STDOUT_FILENO);
    ::sleep(60);
    ::_exit(0);
  }
}

/// The runtime is used from a destructor that runs after main. What was made before CUDA's first use is destroyed after CUDA.
struct Late {
  void* pointer = nullptr;
  ~Late() {
    if (pointer) std::printf("late: %s\n", cudaGetErrorName(cudaFree(pointer)));
  }
};
Late late;
void frees_after_main() { ok(cudaMalloc(&late.pointer, 4)); }

void frees_in_time() {
  ok(cudaFree(nullptr));
  static Late made_later;
  ok(cudaMalloc(&made_later.pointer, 4));
}

/// A program that catches its own faults is left to it.
void catches_its_fault() {
  std::signal(SIGSEGV, [](int) { ::_exit(9); });
  null_pointer();
}

}  // namespace

int main(int argc, char** argv) {
  return main_of(argc, argv,
                 {{"prints", prints},
                  {"prints-and-leaves", prints_and_leaves},
                  {"fails-assertion", fails_assertion},
                  {"null-pointer", null_pointer},
                  {"aborts", aborts},
                  {"exits", exits},
                  {"kills-itself", kills_itself},
                  {"hangs", hangs, false},
                  {"kernel-hangs", kernel_hangs, false},
                  {"leaves-kernel", leaves_kernel, false},
                  {"forks", forks},
                  {"leaves-child", leaves_child},
                  {"frees-after-main", frees_after_main},
                  {"frees-in-time", frees_in_time},
                  {"catches-its-fault", catches_its_fault}});
}
