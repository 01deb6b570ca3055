#include "tests/bench/simulator/opencl.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>
#include <stdexcept>
#include <vector>

#include "device/platform.hpp"
#include "tests/temporary_folder.hpp"

namespace warpbook::bench {
namespace {

// The few functions and numbers of OpenCL 1.2 that are used here, so that the build needs no headers of it.
using Object = void*;
using Status = std::int32_t;
constexpr std::uint32_t kPlatformVersion = 0x0901, kPlatformName = 0x0902, kDeviceName = 0x102b,
                        kBuildLog = 0x1183;
constexpr std::uint64_t kCpu = 1 << 1, kReadWrite = 1 << 0;

constexpr std::string_view kRemedy =
    "apt-get install pocl-opencl-icd ocl-icd-libopencl1 (./warpbook test --long does)";

void expect(Status status, const char* what) {
  if (status != 0) throw std::runtime_error(fmt::format("OpenCL: {} failed ({})", what, status));
}

}  // namespace

struct OpenCl::Library {
  // POCL keeps what it compiled in files.
  tests::TemporaryFolder cache;
  void* handle = nullptr;
  Object platform = nullptr, device = nullptr, context = nullptr, queue = nullptr;

  Status (*get_platforms)(std::uint32_t, Object*, std::uint32_t*);
  Status (*platform_info)(Object, std::uint32_t, std::size_t, void*, std::size_t*);
  Status (*get_devices)(Object, std::uint64_t, std::uint32_t, Object*, std::uint32_t*);
  Status (*device_info)(Object, std::uint32_t, std::size_t, void*, std::size_t*);
  Object (*create_context)(const std::intptr_t*, std::uint32_t, const Object*, void*, void*,
                           Status*);
  Object (*create_queue)(Object, Object, std::uint64_t, Status*);
  Object (*create_program)(Object, std::uint32_t, const char**, const std::size_t*, Status*);
  Status (*build)(Object, std::uint32_t, const Object*, const char*, void*, void*);
  Status (*build_info)(Object, Object, std::uint32_t, std::size_t, void*, std::size_t*);
  Object (*create_kernel)(Object, const char*, Status*);
  Object (*create_buffer)(Object, std::uint64_t, std::size_t, void*, Status*);
  Status (*set_argument)(Object, std::uint32_t, std::size_t, const void*);
  Status (*launch)(Object, Object, std::uint32_t, const std::size_t*, const std::size_t*,
                   const std::size_t*, std::uint32_t, const Object*, Object*);
  Status (*read)(Object, Object, std::uint32_t, std::size_t, std::size_t, void*, std::uint32_t,
                 const Object*, Object*);
  Status (*write)(Object, Object, std::uint32_t, std::size_t, std::size_t, const void*,
                  std::uint32_t, const Object*, Object*);
  Status (*finish)(Object);
  Status (*release_buffer)(Object);
  Status (*release_kernel)(Object);
  Status (*release_program)(Object);
  Status (*release_queue)(Object);
  Status (*release_context)(Object);

  /// False where the library lacks one of them.
  bool find_functions() {
    bool all = true;
    const auto find = [&](auto& function, const char* name) {
      function = reinterpret_cast<std::decay_t<decltype(function)>>(::dlsym(handle, name));
      all = all && function;
    };
    find(get_platforms, "clGetPlatformIDs");
    find(platform_info, "clGetPlatformInfo");
    find(get_devices, "clGetDeviceIDs");
    find(device_info, "clGetDeviceInfo");
    find(create_context, "clCreateContext");
    find(create_queue, "clCreateCommandQueue");
    find(create_program, "clCreateProgramWithSource");
    find(build, "clBuildProgram");
    find(build_info, "clGetProgramBuildInfo");
    find(create_kernel, "clCreateKernel");
    find(create_buffer, "clCreateBuffer");
    find(set_argument, "clSetKernelArg");
    find(launch, "clEnqueueNDRangeKernel");
    find(read, "clEnqueueReadBuffer");
    find(write, "clEnqueueWriteBuffer");
    find(finish, "clFinish");
    find(release_buffer, "clReleaseMemObject");
    find(release_kernel, "clReleaseKernel");
    find(release_program, "clReleaseProgram");
    find(release_queue, "clReleaseCommandQueue");
    find(release_context, "clReleaseContext");
    return all;
  }

  [[nodiscard]] std::string text_of(Object of_platform, std::uint32_t what) const {
    std::array<char, 256> text{};
    (void)platform_info(of_platform, what, text.size() - 1, text.data(), nullptr);
    return text.data();
  }

  bool find_pocl() {
    std::array<Object, 16> platforms{};
    std::uint32_t count = 0;
    // NOLINTNEXTLINE(clang-analyzer-core.CallAndMessage): every function was found before
    if (get_platforms(platforms.size(), platforms.data(), &count) != 0) return false;
    for (std::uint32_t i = 0; i < std::min<std::uint32_t>(count, platforms.size()); ++i) {
      if (text_of(platforms[i], kPlatformName) == "Portable Computing Language")
        platform = platforms[i];
    }
    return platform && get_devices(platform, kCpu, 1, &device, nullptr) == 0;
  }
};

OpenCl::OpenCl() : library_(std::make_unique<Library>()) {}

OpenCl::~OpenCl() {
  // NOLINTBEGIN(clang-analyzer-core.CallAndMessage): what was made was made by functions that were all found
  if (library_->queue) (void)library_->release_queue(library_->queue);
  if (library_->context) (void)library_->release_context(library_->context);
  // NOLINTEND(clang-analyzer-core.CallAndMessage)
  // The library stays loaded: POCL's threads outlive its last object.
}

tl::expected<std::unique_ptr<OpenCl>, std::string> OpenCl::open() {
  std::unique_ptr<OpenCl> opencl(new OpenCl);
  Library& l = *opencl->library_;
  ::setenv("POCL_DEVICES", "pthread", 1);
  ::setenv("POCL_MAX_PTHREAD_COUNT", "1", 1);
  ::setenv("POCL_CACHE_DIR", l.cache.path().c_str(), 1);
  l.handle = ::dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!l.handle || !l.find_functions())
    return tl::unexpected(fmt::format("no libOpenCL.so.1 here. Remedy: {}", kRemedy));
  if (!l.find_pocl())
    return tl::unexpected(fmt::format("libOpenCL.so.1 knows no POCL. Remedy: {}", kRemedy));
  Status status = 0;
  l.context = l.create_context(nullptr, 1, &l.device, nullptr, nullptr, &status);
  expect(status, "clCreateContext");
  l.queue = l.create_queue(l.context, l.device, 0, &status);
  expect(status, "clCreateCommandQueue");
  std::array<char, 256> device{};
  (void)l.device_info(l.device, kDeviceName, device.size() - 1, device.data(), nullptr);
  opencl->description_ =
      fmt::format("{}, {}", l.text_of(l.platform, kPlatformVersion), device.data());
  return opencl;
}

struct OpenCl::Kernel::State {
  Library& l;
  const Case& c;
  Object program = nullptr, kernel = nullptr;
  std::vector<Object> buffers;  ///< the last is the output

  State(Library& library, const Case& the_case) : l(library), c(the_case) {}
  ~State() {
    for (Object buffer : buffers) (void)l.release_buffer(buffer);
    if (kernel) (void)l.release_kernel(kernel);
    if (program) (void)l.release_program(program);
  }

  void build() {
    const std::string file =
        std::string(WARPBOOK_SOURCE_DIR) + "/tests/bench/kernels/" + c.kernel + ".cl";
    const auto source = device::read_file(file);
    if (!source) throw std::runtime_error(source.error().english());
    const char* text = source->c_str();
    Status status = 0;
    program = l.create_program(l.context, 1, &text, nullptr, &status);
    expect(status, "clCreateProgramWithSource");
    if (l.build(program, 1, &l.device, "-cl-std=CL1.2", nullptr, nullptr) != 0) {
      std::vector<char> log(1 << 16);
      (void)l.build_info(program, l.device, kBuildLog, log.size() - 1, log.data(), nullptr);
      throw std::runtime_error(fmt::format("{}: {}", file, log.data()));
    }
    kernel = l.create_kernel(program, c.kernel.c_str(), &status);
    expect(status, "clCreateKernel");
  }

  void put(const Array& array) {
    Status status = 0;
    Object buffer = l.create_buffer(l.context, kReadWrite, array.bytes.size(), nullptr, &status);
    expect(status, "clCreateBuffer");
    buffers.push_back(buffer);
    write(buffer, array);
    expect(l.set_argument(kernel, static_cast<std::uint32_t>(buffers.size() - 1), sizeof buffer,
                          reinterpret_cast<const void*>(&buffers.back())),
           "clSetKernelArg");
  }

  void write(Object buffer, const Array& array) const {
    expect(
        l.write(l.queue, buffer, 1, 0, array.bytes.size(), array.bytes.data(), 0, nullptr, nullptr),
        "clEnqueueWriteBuffer");
  }
};

OpenCl::Kernel::Kernel(OpenCl& opencl, const Case& c)
    : state_(std::make_unique<State>(*opencl.library_, c)) {
  state_->build();
  for (const Array& input : c.inputs) state_->put(input);
  state_->put(c.output);
  expect(state_->l.set_argument(state_->kernel, static_cast<std::uint32_t>(state_->buffers.size()),
                                sizeof c.size, &c.size),
         "clSetKernelArg");
}

OpenCl::Kernel::~Kernel() = default;

void OpenCl::Kernel::run() {
  const Case& c = state_->c;
  const std::array<std::size_t, 3> local{c.block.x, c.block.y, c.block.z};
  const std::array<std::size_t, 3> global{std::size_t{c.grid.x} * c.block.x,
                                          std::size_t{c.grid.y} * c.block.y,
                                          std::size_t{c.grid.z} * c.block.z};
  expect(state_->l.launch(state_->l.queue, state_->kernel, 3, nullptr, global.data(), local.data(),
                          0, nullptr, nullptr),
         "clEnqueueNDRangeKernel");
  expect(state_->l.finish(state_->l.queue), "clFinish");
}

Array OpenCl::Kernel::result() {
  const State& s = *state_;
  Array output = s.c.output;
  s.write(s.buffers.back(), output);
  run();
  expect(s.l.read(s.l.queue, s.buffers.back(), 1, 0, output.bytes.size(), output.bytes.data(), 0,
                  nullptr, nullptr),
         "clEnqueueReadBuffer");
  return output;
}

}  // namespace warpbook::bench
