// Every way in which a driver or a GPU fails: what it is called, and that the next launch works.
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include <chrono>
#include <thread>

#include "device/gpu/gpu_device.hpp"
#include "device/gpu/self_test.hpp"
#include "tests/device/gpu/stand_in.hpp"
#include "tests/device/gpu/stand_in_kernels.hpp"
#include "tests/keyed.hpp"

namespace warpbook::tests::failure_test {

using namespace warpbook::device;
using namespace warpbook::tests;
using warpbook::device::gpu::GpuDevice;

namespace {

Error error_of_opening() {
  const auto gpu = GpuDevice::open();
  REQUIRE(!gpu);
  return gpu.error();
}

/// x is lost, and everything works anew.
void check_next_works(GpuDevice& gpu, const std::shared_ptr<const Module>& module, Pointer lost) {
  std::vector<std::byte> host(4);
  const auto stale = gpu.copy_out(host, lost, {}).wait();
  REQUIRE(!stale);
  CHECK(stale.error().code == ErrorCode::memory_lost);
  const auto refused = gpu.launch(add_one(module, lost, 1), {}).wait();
  REQUIRE(!refused);
  CHECK(refused.error().code == ErrorCode::memory_lost);

  const auto fresh = gpu.allocate("fresh", ElementType::u32, 1);
  REQUIRE(fresh);
  CHECK(*fresh != lost);
  REQUIRE(gpu.fill(*fresh, std::byte{0}, 4, {}).wait());
  const auto record = gpu.launch(add_one(module, *fresh, 1), {}).wait();
  REQUIRE(record);
  CHECK(!(*record)->error);
  std::uint32_t value = 0;
  REQUIRE(gpu.copy_out(std::as_writable_bytes(std::span(&value, 1)), *fresh, {}).wait());
  CHECK(value == 1);
  REQUIRE(gpu.release(lost));
}

/// The error of a launch during which that happens, after which the next must work.
Error error_of_launch(const std::string& orders, double seconds = 0) {
  StandIn driver;
  const auto gpu = open_stand_in();
  const auto module = load_stand_in_kernels(*gpu);
  const auto x = gpu->allocate("x", ElementType::u32, 1);
  REQUIRE(x);
  driver.order(orders);
  Launch launch = add_one(module, *x, 1);
  launch.budget.seconds = seconds;
  const auto record = gpu->launch(std::move(launch), {}).wait();
  REQUIRE(record);  // it ran
  REQUIRE((*record)->error);
  const Error error = *(*record)->error;
  const auto synchronised = gpu->synchronise();
  REQUIRE(!synchronised);
  CHECK(synchronised.error().code == error.code);
  check_next_works(*gpu, module, *x);
  return error;
}

}  // namespace

TEST_CASE("Without a driver, the remedy is named") {
  const StandIn none{StandIn::Absent{}};
  const Error error = error_of_opening();
  CHECK(error.code == ErrorCode::driver_missing);
  CHECK(error.english().find("libcuda.so.1") != std::string::npos);
  CHECK(error.english().find("580") != std::string::npos);
}

TEST_CASE("A driver that is too old says what it has and what is needed") {
  const StandIn driver("version 12040");
  const Error error = error_of_opening();
  CHECK(error.code == ErrorCode::driver_too_old);
  CHECK(warpbook::tests::keyed(error) == "driver_too_old(cuda=13.0, found=12.4, needed=580)");
}

TEST_CASE("A driver without one of its functions is no driver") {
  const StandIn driver("absent cuLaunchKernelEx");
  const Error error = error_of_opening();
  CHECK(error.code == ErrorCode::driver_missing);
  CHECK(error.english().find("cuLaunchKernelEx") != std::string::npos);
}

TEST_CASE("A driver without a GPU says so") {
  const auto orders = GENERATE("devices 0", "init 100");
  CAPTURE(orders);
  const StandIn driver(orders);
  CHECK(error_of_opening().code == ErrorCode::no_device);
}

TEST_CASE("A fault on a GPU costs its memory, is told, and the next launch works") {
  const Error address = error_of_launch("once run 700");
  CHECK(address.code == ErrorCode::gpu_illegal_address);
  CHECK(address.english().find("--device simulator") != std::string::npos);
}

TEST_CASE("Each kind of fault on a GPU has its own error") {
  struct Case {
    const char* orders;
    ErrorCode code;
  };
  const auto c = GENERATE(
      Case{"once run 716", ErrorCode::gpu_misaligned_address},
      Case{"once run 719", ErrorCode::gpu_fault}, Case{"once run 702", ErrorCode::budget_time},
      Case{"once run 46", ErrorCode::gpu_lost}, Case{"once run 214", ErrorCode::gpu_lost},
      Case{"once run 710 a.cu:9: void k(int): block: [0,0,0], thread: [0,0,0] "
           "Assertion `n == 0` failed.",
           ErrorCode::assertion});
  CAPTURE(c.orders);
  const Error error = error_of_launch(c.orders);
  CHECK(name_of(error.code) == name_of(c.code));
  if (c.code == ErrorCode::assertion)
    CHECK(warpbook::tests::keyed(error) ==
          "a.cu:9: assertion(block=0, function=void k(int), text=n == 0, thread=0)");
}

TEST_CASE("A kernel that hangs on a GPU is ended by its budget") {
  const Error error = error_of_launch("once run hang", 0.3);
  CHECK(error.code == ErrorCode::budget_time);
  CHECK(warpbook::tests::keyed(error) == "budget_time(seconds=0.3)");
}

TEST_CASE("A kernel that hangs on a GPU is ended by a cancel") {
  StandIn driver;
  const auto gpu = open_stand_in();
  const auto module = load_stand_in_kernels(*gpu);
  const auto x = gpu->allocate("x", ElementType::u32, 1);
  REQUIRE(x);
  driver.order("once run hang");
  std::stop_source stop;
  Launch launch = add_one(module, *x, 1);
  launch.stop = stop.get_token();
  const LaunchTicket ticket = gpu->launch(std::move(launch), {});
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  stop.request_stop();
  const auto& record = ticket.wait();
  REQUIRE(record);
  REQUIRE((*record)->error);
  CHECK((*record)->error->code == ErrorCode::cancelled);
  check_next_works(*gpu, module, *x);
}

TEST_CASE("A driver that crashes takes its own process along and no other") {
  const Error error = error_of_launch("once run crash");
  CHECK(error.code == ErrorCode::library_died);
  CHECK(error.english().find("the NVIDIA driver") == 0);
}

TEST_CASE("A launch that the driver refuses costs nothing") {
  StandIn driver;
  const auto gpu = open_stand_in();
  const auto module = load_stand_in_kernels(*gpu);
  const auto x = gpu->allocate("x", ElementType::u32, 1);
  REQUIRE(x);
  REQUIRE(gpu->fill(*x, std::byte{0}, 4, {}).wait());
  driver.order("once launch 701");
  const pid_t before = gpu->worker();
  const auto refused = gpu->launch(add_one(module, *x, 1), {}).wait();
  REQUIRE(!refused);
  CHECK(refused.error().code == ErrorCode::launch_out_of_resources);
  const auto record = gpu->launch(add_one(module, *x, 1), {}).wait();
  REQUIRE(record);
  CHECK(!(*record)->error);
  CHECK(gpu->worker() == before);
}

TEST_CASE("A GPU that is lost in the middle of a copy is told, and another try works") {
  StandIn driver;
  const auto gpu = open_stand_in();
  const auto module = load_stand_in_kernels(*gpu);
  const auto x = gpu->allocate("x", ElementType::u32, 1);
  REQUIRE(x);
  driver.order("once copy 46");
  std::vector<std::byte> host(4);
  const auto copied = gpu->copy_in(*x, host, {}).wait();
  REQUIRE(!copied);
  CHECK(copied.error().code == ErrorCode::gpu_lost);
  CHECK(copied.error().english().find("CUDA_ERROR_DEVICE_UNAVAILABLE") != std::string::npos);
  check_next_works(*gpu, module, *x);
}

TEST_CASE("A GPU with no memory left says how much there is, and goes on") {
  const StandIn driver("memory 4096");
  const auto gpu = open_stand_in();
  const auto x = gpu->allocate("x", ElementType::u8, 4000);
  REQUIRE(x);
  const auto y = gpu->allocate("y", ElementType::u8, 97);
  REQUIRE(!y);
  CHECK(warpbook::tests::keyed(y.error()) == "out_of_memory(bytes=97, free=96, name=y)");
  REQUIRE(gpu->release(*x));
  CHECK(gpu->allocate("y", ElementType::u8, 97));
  CHECK(!gpu->allocate("z", ElementType::u64, ~std::uint64_t{0} / 2));
}

TEST_CASE("PTX that the driver cannot compile comes back in its own words") {
  const StandIn driver("jit 218 ptxas fatal : Unresolved extern function 'f'");
  const auto gpu = open_stand_in();
  auto program = std::make_shared<Program>();
  program->name = "k.ptx";
  program->ptx = ".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry k() { ret; }\n";
  const auto module = gpu->load(program);
  REQUIRE(!module);
  CHECK(module.error().code == ErrorCode::ptx_syntax);
  CHECK(module.error().english().find("Unresolved extern function 'f'") != std::string::npos);
}

TEST_CASE("PTX newer than the driver says that the driver is too old") {
  const StandIn driver("jit 222 ptxas: Unsupported .version 9.9");
  const auto gpu = open_stand_in();
  auto program = std::make_shared<Program>();
  program->name = "k.ptx";
  program->ptx = ".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry k() { ret; }\n";
  const auto module = gpu->load(program);
  REQUIRE(!module);
  CHECK(module.error().code == ErrorCode::driver_too_old);
}

TEST_CASE("The self-test passes where a device computes, and tells where one does not") {
  SECTION("the simulator") {
    const auto simulated = open_device("simulator");
    REQUIRE(simulated);
    CHECK(gpu::self_test(**simulated));
  }
  SECTION("a GPU") {
    const StandIn driver;
    CHECK(gpu::self_test(*open_stand_in()));
  }
  SECTION("a GPU that computes something else") {
    const StandIn driver("wrong");
    const auto passed = gpu::self_test(*open_stand_in());
    REQUIRE(!passed);
    CHECK(passed.error().code == ErrorCode::gpu_self_test);
    CHECK(passed.error().english().find("element 259 is") != std::string::npos);
  }
  SECTION("a GPU that faults") {
    const StandIn driver("test 719");
    const auto passed = gpu::self_test(*open_stand_in());
    REQUIRE(!passed);
    CHECK(passed.error().english().find("CUDA_ERROR_LAUNCH_FAILED") != std::string::npos);
  }
}

TEST_CASE("auto takes the GPU that passes its self-test, and the simulator else") {
  SECTION("a GPU") {
    const StandIn driver;
    const auto opened = open_device("auto");
    REQUIRE(opened);
    CHECK(!(*opened)->properties().simulated);
  }
  SECTION("none that serves") {
    const auto orders = GENERATE("devices 0", "version 12040", "wrong", "test 700");
    CAPTURE(orders);
    const StandIn driver(orders);
    const auto opened = open_device("auto", "rtx 4090");
    REQUIRE(opened);
    CHECK((*opened)->properties().simulated);
    CHECK((*opened)->properties().name == find_gpu("rtx 4090")->name);
  }
  SECTION("asked for by name, one that fails is an error") {
    const StandIn driver("wrong");
    const auto opened = open_device("gpu");
    REQUIRE(!opened);
    CHECK(opened.error().code == ErrorCode::gpu_self_test);
  }
}

}  // namespace warpbook::tests::failure_test
