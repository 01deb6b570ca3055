// The driver API by itself: initialisation, contexts, modules, memory, launches, streams, and the errors that are documented.
#include <dlfcn.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include "tests/device/runtime/programs/driver_program.hpp"

namespace {

using namespace program;

constexpr unsigned kThreads = 32;
constexpr std::size_t kBytes = kThreads * sizeof(int);

void initialisation() {
  int count = 0, version = 0;
  // What needs no device is there before cuInit, and nothing else.
  ok(cuDriverGetVersion(&version));
  expect_equal(version, CUDA_VERSION);
  expect(cuDeviceGetCount(&count), CUDA_ERROR_NOT_INITIALIZED);
  expect(cuInit(1), CUDA_ERROR_INVALID_VALUE);
  ok(cuInit(0));
  ok(cuInit(0));
  ok(cuDeviceGetCount(&count));
  expect_equal(count, 1);
  const char* text = nullptr;
  ok(cuGetErrorName(CUDA_ERROR_INVALID_VALUE, &text));
  expect_true(std::string(text) == "CUDA_ERROR_INVALID_VALUE");
  ok(cuGetErrorString(CUDA_ERROR_ILLEGAL_ADDRESS, &text));
  expect_true(std::string(text) == "an illegal memory access was encountered");
  expect(cuGetErrorName(static_cast<CUresult>(12345), &text), CUDA_ERROR_INVALID_VALUE);
  expect_true(text == nullptr);
}

void devices() {
  ok(cuInit(0));
  CUdevice device = -1;
  expect(cuDeviceGet(&device, 1), CUDA_ERROR_INVALID_DEVICE);
  ok(cuDeviceGet(&device, 0));
  std::array<char, 8> name{};
  ok(cuDeviceGetName(name.data(), static_cast<int>(name.size()), device));
  expect_true(name.back() == '\0' && name[0] != '\0');
  int major = 0, threads = 0;
  ok(cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device));
  expect_equal(major, 9);
  ok(cuDeviceGetAttribute(&threads, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, device));
  expect_equal(threads, 1024);
  std::size_t bytes = 0;
  ok(cuDeviceTotalMem(&bytes, device));
  expect_true(bytes > (std::size_t{1} << 30));
  expect(cuDeviceTotalMem(&bytes, 7), CUDA_ERROR_INVALID_DEVICE);
}

CUcontext current() {
  CUcontext context = nullptr;
  ok(cuCtxGetCurrent(&context));
  return context;
}

void contexts() {
  CUdeviceptr memory = 0;
  CUcontext first = nullptr, second = nullptr, popped = nullptr;
  CUctxCreateParams parameters{};
  ok(cuInit(0));
  expect_true(current() == nullptr);
  expect(cuMemAlloc(&memory, 4), CUDA_ERROR_INVALID_CONTEXT);
  expect(cuCtxPopCurrent(&popped), CUDA_ERROR_INVALID_CONTEXT);
  expect(cuCtxCreate(&first, &parameters, 0, 9), CUDA_ERROR_INVALID_DEVICE);
  expect(cuCtxCreate(&first, &parameters, 3, 0), CUDA_ERROR_INVALID_VALUE);
  ok(cuCtxCreate(&first, &parameters, CU_CTX_SCHED_SPIN, 0));
  expect_true(current() == first);
  ok(cuCtxCreate(&second, nullptr, 0, 0));
  expect_true(current() == second);
  ok(cuCtxPopCurrent(&popped));
  expect_true(popped == second && current() == first);
  ok(cuCtxPushCurrent(second));
  ok(cuMemAlloc(&memory, 4));
  // Other threads have a stack of their own.
  std::thread([second] {
    CUdeviceptr there = 0;
    expect(cuMemAlloc(&there, 4), CUDA_ERROR_INVALID_CONTEXT);
    ok(cuCtxSetCurrent(second));
    ok(cuMemAlloc(&there, 4));
  }).join();
  // It takes its memory along, and comes off this thread's stack.
  ok(cuCtxDestroy(second));
  expect_true(current() == first);
  if (is_on_warpbook()) {
    expect(cuMemFree(memory), CUDA_ERROR_INVALID_VALUE);
    expect(cuCtxPushCurrent(second), CUDA_ERROR_CONTEXT_IS_DESTROYED);
  }
  unsigned flags = 0;
  ok(cuCtxGetFlags(&flags));
  expect_equal(flags, unsigned{CU_CTX_SCHED_SPIN});
  ok(cuCtxSetCurrent(nullptr));
  expect_true(current() == nullptr);
  ok(cuCtxDestroy(first));
}

/// What a context is destroyed under is told so.
void destroyed_elsewhere() {
  CUctxCreateParams parameters{};
  CUcontext context = nullptr;
  ok(cuInit(0));
  ok(cuCtxCreate(&context, &parameters, 0, 0));
  std::thread([context] { ok(cuCtxDestroy(context)); }).join();
  CUdeviceptr memory = 0;
  expect(cuMemAlloc(&memory, 4), CUDA_ERROR_CONTEXT_IS_DESTROYED);
}

void primary_context() {
  CUcontext first = nullptr, again = nullptr;
  unsigned flags = 1;
  int active = 1;
  CUdeviceptr memory = 0;
  ok(cuInit(0));
  ok(cuDevicePrimaryCtxGetState(0, &flags, &active));
  expect_equal(active, 0);
  expect(cuDevicePrimaryCtxRelease(0), CUDA_ERROR_INVALID_CONTEXT);
  ok(cuDevicePrimaryCtxSetFlags(0, CU_CTX_SCHED_YIELD));
  ok(cuDevicePrimaryCtxRetain(&first, 0));
  ok(cuDevicePrimaryCtxRetain(&again, 0));
  expect_true(first == again && current() == nullptr);
  ok(cuDevicePrimaryCtxGetState(0, &flags, &active));
  expect_true(active == 1 && flags == CU_CTX_SCHED_YIELD);
  ok(cuCtxSetCurrent(first));
  ok(cuMemAlloc(&memory, 4));
  ok(cuDevicePrimaryCtxRelease(0));
  ok(cuMemAlloc(&memory, 4));
  expect(cuCtxDestroy(first), CUDA_ERROR_INVALID_CONTEXT);
  ok(cuDevicePrimaryCtxRelease(0));
  expect(cuMemAlloc(&memory, 4), CUDA_ERROR_CONTEXT_IS_DESTROYED);
}

/// The fat binary around PTX as `nvcc -fatbin` writes it.
std::string fat_binary() {
  struct {
    std::uint32_t magic = 0xba55ed50;
    std::uint16_t version = 1, header_bytes = 16;
    std::uint64_t bytes = 0;
    std::uint16_t kind = 1, attributes = 0x0101;
    std::uint32_t entry_header = 64;
    std::uint64_t text_bytes = 0;
    std::uint32_t compressed = 0, options = 0;
    std::uint16_t minor = 0, major = 0;
    std::uint32_t architecture = 75, name_offset = 0, name_bytes = 0;
    std::uint64_t flags = 0, unused = 0, plain = 0;
  } header;
  std::string text = kernels_text;
  text.resize((text.size() / 8 + 1) * 8, '\0');
  header.text_bytes = text.size();
  header.bytes = header.entry_header + text.size();
  return std::string(reinterpret_cast<const char*>(&header), sizeof header) + text;
}

void modules() {
  const OwnContext context;
  CUmodule module = nullptr, fat = nullptr, none = nullptr;
  CUfunction function = nullptr;
  ok(cuModuleLoadData(&module, kernels_text.c_str()));
  ok(cuModuleLoadData(&fat, fat_binary().c_str()));
  unsigned count = 0, fat_count = 0;
  ok(cuModuleGetFunctionCount(&count, module));
  ok(cuModuleGetFunctionCount(&fat_count, fat));
  expect_true(count > 10 && count == fat_count);
  if (count == 0) return;
  std::vector<CUfunction> all(count);
  ok(cuModuleEnumerateFunctions(all.data(), count, module));
  const char* name = nullptr;
  ok(cuFuncGetName(&name, all.front()));
  expect_true(kernel_of(module, name) == all.front());
  expect(cuModuleGetFunction(&function, module, "no_such_kernel"), CUDA_ERROR_NOT_FOUND);
  expect(cuModuleGetFunction(&function, module, nullptr), CUDA_ERROR_INVALID_VALUE);
  expect(cuModuleLoad(&none, "/no/such/file.ptx"), CUDA_ERROR_FILE_NOT_FOUND);
  expect(cuModuleLoadData(&none,
                          "\x7f"
                          "ELF"
                          "a cubin from somewhere else, of which the rest is not read......"),
         CUDA_ERROR_NO_BINARY_FOR_GPU);
  std::size_t offset = 1, bytes = 0;
  const CUfunction mixed = kernel_of(module, "take_mixed");
  ok(cuFuncGetParamInfo(mixed, 2, &offset, &bytes));
  expect_true(offset == 16 && bytes == sizeof(Mixed));
  expect(cuFuncGetParamInfo(mixed, 5, &offset, &bytes), CUDA_ERROR_INVALID_VALUE);
  ok(cuModuleUnload(fat));
  if (is_on_warpbook()) {
    expect(cuModuleUnload(fat), CUDA_ERROR_INVALID_HANDLE);
    expect(cuModuleGetFunction(&function, fat, "add_one"), CUDA_ERROR_INVALID_HANDLE);
  }
}

/// What is wrong with PTX is said in the buffer that the program gives.
void messages_of_compilers() {
  const OwnContext context;
  std::array<char, 512> errors{};
  std::array<CUjit_option, 3> options = {CU_JIT_TARGET_FROM_CUCONTEXT, CU_JIT_ERROR_LOG_BUFFER,
                                         CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  std::array<void*, 3> values = {nullptr, errors.data(), reinterpret_cast<void*>(errors.size())};
  CUmodule module = nullptr;
  const std::string wrong = ".version 9.0\n.target sm_90\n.address_size 64\n.visible nonsense\n";
  expect(cuModuleLoadDataEx(&module, wrong.c_str(), 3, options.data(), values.data()),
         CUDA_ERROR_INVALID_PTX);
  const auto written = reinterpret_cast<std::size_t>(values[2]);
  expect_true(written > 10 && written < errors.size() && errors[written] == '\0');
  // NVIDIA's compiler names the line in words.
  const std::string line = is_on_warpbook() ? ":4:" : "line 4;";
  expect_true(std::string(errors.data()).find(line) != std::string::npos);
  values[2] = reinterpret_cast<void*>(errors.size());
  ok(cuModuleLoadDataEx(&module, kernels_text.c_str(), 3, options.data(), values.data()));
  expect_true(values[2] == nullptr);
}

void variables() {
  const OwnContext context;
  const CUmodule module = load_kernels();
  CUdeviceptr factors = 0, output = 0;
  std::size_t bytes = 0;
  ok(cuModuleGetGlobal(&factors, &bytes, module, "factors"));
  expect_equal(bytes, 4 * sizeof(int));
  expect(cuModuleGetGlobal(&factors, &bytes, module, "no_such_variable"), CUDA_ERROR_NOT_FOUND);
  const std::array<int, 4> values = {10, 20, 30, 40};
  ok(cuMemcpyHtoD(factors, values.data(), sizeof values));
  ok(cuMemAlloc(&output, sizeof values));
  ok(launch(kernel_of(module, "scale_by_symbols"), 4, nullptr, output));
  std::array<int, 4> got{};
  ok(cuMemcpyDtoH(got.data(), output, sizeof got));
  expect_true(got == std::array<int, 4>{50, 100, 150, 200});
  ok(cuMemFree(output));
}

void memory() {
  const OwnContext context;
  CUdeviceptr a = 0, base = 0;
  std::size_t bytes = 0, pitch = 0;
  expect(cuMemAlloc(&a, 0), CUDA_ERROR_INVALID_VALUE);
  expect(cuMemAlloc(&a, std::size_t{1} << 50), CUDA_ERROR_OUT_OF_MEMORY);
  ok(cuMemAlloc(&a, kBytes));
  ok(cuMemGetAddressRange(&base, &bytes, a + 8));
  expect_true(base == a && bytes == kBytes);
  std::array<int, kThreads> host{};
  ok(cuMemsetD32(a, 7, kThreads));
  ok(cuMemsetD16(a, 5, 2));
  ok(cuMemsetD8(a + 4, 1, 1));
  ok(cuMemcpyDtoH(host.data(), a, kBytes));
  expect_true(host[0] == 0x50005 && host[1] == 0x1 && host[2] == 7 && host[31] == 7);
  expect(cuMemsetD32(a + 2, 7, 1), CUDA_ERROR_INVALID_VALUE);
  expect(cuMemcpyHtoD(a, host.data(), kBytes + 1), CUDA_ERROR_INVALID_VALUE);
  expect(cuMemcpyDtoH(host.data(), reinterpret_cast<CUdeviceptr>(host.data()), 4),
         CUDA_ERROR_INVALID_VALUE);
  CUdeviceptr rows = 0;
  expect(cuMemAllocPitch(&rows, &pitch, 10, 3, 5), CUDA_ERROR_INVALID_VALUE);
  ok(cuMemAllocPitch(&rows, &pitch, 10, 3, 4));
  expect_true(pitch >= 10 && pitch % 16 == 0);
  ok(cuMemsetD2D8(rows, pitch, 3, 10, 3));
  std::array<char, 30> packed{};
  CUDA_MEMCPY2D copy{};
  copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.srcDevice = rows;
  copy.srcPitch = pitch;
  copy.dstMemoryType = CU_MEMORYTYPE_HOST;
  copy.dstHost = packed.data();
  copy.dstPitch = 10;
  copy.WidthInBytes = 10;
  copy.Height = 3;
  ok(cuMemcpy2D(&copy));
  expect_true(packed.front() == 3 && packed.back() == 3);
  ok(cuMemFree(rows));
  ok(cuMemFree(a));
  expect(cuMemFree(a), CUDA_ERROR_INVALID_VALUE);
  ok(cuMemFree(0));
}

void memory_of_both() {
  const OwnContext context;
  const CUmodule module = load_kernels();
  int* pinned = nullptr;
  CUdeviceptr managed = 0, seen = 0;
  ok(cuMemHostAlloc(reinterpret_cast<void**>(&pinned), kBytes, CU_MEMHOSTALLOC_DEVICEMAP));
  ok(cuMemHostGetDevicePointer(&seen, pinned, 0));
  ok(launch(kernel_of(module, "set_to"), kThreads, nullptr, seen, 4));
  ok(cuCtxSynchronize());
  expect_equal(pinned[31], 4);
  ok(cuMemAllocManaged(&managed, kBytes, CU_MEM_ATTACH_GLOBAL));
  ok(launch(kernel_of(module, "set_to"), kThreads, nullptr, managed, 6));
  ok(cuCtxSynchronize());
  expect_equal(reinterpret_cast<int*>(managed)[31], 6);
  unsigned type = 0, is_managed = 0;
  ok(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, seen));
  expect_equal(type, unsigned{CU_MEMORYTYPE_HOST});
  ok(cuPointerGetAttribute(&is_managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, managed));
  expect_equal(is_managed, 1u);
  CUcontext owner = nullptr;
  ok(cuPointerGetAttribute(&owner, CU_POINTER_ATTRIBUTE_CONTEXT, managed));
  expect_true(owner == context.handle);
  int on_the_stack = 0;
  expect(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
                               reinterpret_cast<CUdeviceptr>(&on_the_stack)),
         CUDA_ERROR_INVALID_VALUE);
  ok(cuMemFree(managed));
  ok(cuMemFreeHost(pinned));
}

void launches() {
  const OwnContext context;
  const CUmodule module = load_kernels();
  const CUfunction set = kernel_of(module, "set_to"), mixed = kernel_of(module, "take_mixed");
  CUdeviceptr x = 0;
  std::array<int, kThreads> host{};
  ok(cuMemAlloc(&x, kBytes));
  ok(launch(set, kThreads, nullptr, x, 9));
  ok(cuMemcpyDtoH(host.data(), x, kBytes));
  expect_equal(host[31], 9);
  // Arguments in one buffer lie where a structure of them would have them.
  struct {
    CUdeviceptr out;
    char a = 1;
    Mixed b{2, 3.5, {0, 0, 4}};
    short c = 5;
    float d = 6;
  } packed{x};
  std::size_t bytes = sizeof packed;
  std::array<void*, 5> extra = {CU_LAUNCH_PARAM_BUFFER_POINTER, &packed,
                                CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes, CU_LAUNCH_PARAM_END};
  ok(cuLaunchKernel(mixed, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, extra.data()));
  double sum = 0;
  ok(cuMemcpyDtoH(&sum, x, sizeof sum));
  expect_true(sum == 21.5);
  bytes = 8;
  expect(cuLaunchKernel(mixed, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, extra.data()),
         CUDA_ERROR_INVALID_VALUE);
  std::array<void*, 2> one_by_one = {&x, &x};
  expect(cuLaunchKernel(set, 1, 1, 1, 1, 1, 1, 0, nullptr, one_by_one.data(), extra.data()),
         CUDA_ERROR_INVALID_VALUE);
  expect(launch(set, 2000, nullptr, x, 1), CUDA_ERROR_INVALID_VALUE);
  expect(launch(reinterpret_cast<CUfunction>(&bytes), 1, nullptr, x, 1), CUDA_ERROR_INVALID_HANDLE);
  int value = 0, grid = 0, block = 0, blocks = 0;
  ok(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES,
                        kernel_of(module, "static_shared")));
  expect_equal(value, 4096);
  expect(cuFuncSetAttribute(set, CU_FUNC_ATTRIBUTE_NUM_REGS, 3), CUDA_ERROR_INVALID_VALUE);
  ok(cuFuncSetAttribute(set, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 64 << 10));
  ok(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, set, 128, 0));
  expect_equal(blocks, 16);
  ok(cuOccupancyMaxPotentialBlockSize(&grid, &block, set, nullptr, 0, 0));
  expect_true(block >= 512 && grid >= 132);
  CUlaunchConfig config{};
  config.gridDimX = config.gridDimY = config.gridDimZ = 1;
  config.blockDimX = kThreads;
  config.blockDimY = config.blockDimZ = 1;
  int eight = 8;
  std::array<void*, 2> arguments = {&x, &eight};
  ok(cuLaunchKernelEx(&config, set, arguments.data(), nullptr));
  ok(cuMemcpyDtoH(host.data(), x, kBytes));
  expect_equal(host[0], 8);
  ok(cuMemFree(x));
}

void failing_kernel() {
  const OwnContext context;
  const CUmodule module = load_kernels();
  ok(launch(kernel_of(module, "write_wild"), 1, nullptr));
  expect(cuCtxSynchronize(), CUDA_ERROR_ILLEGAL_ADDRESS);
  CUdeviceptr memory = 0;
  expect(cuMemAlloc(&memory, 4), CUDA_ERROR_ILLEGAL_ADDRESS);
  std::exit(failures);  // the context cannot be destroyed any more
}

void note_call(void* data) { ++*static_cast<int*>(data); }

void streams() {
  const OwnContext context;
  const CUmodule module = load_kernels();
  const CUfunction set = kernel_of(module, "set_to"), add = kernel_of(module, "add_to");
  CUstream stream = nullptr;
  CUevent begin = nullptr, end = nullptr;
  CUdeviceptr x = 0;
  ok(cuMemAlloc(&x, kBytes));
  ok(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  ok(cuEventCreate(&begin, CU_EVENT_DEFAULT));
  ok(cuEventCreate(&end, CU_EVENT_DEFAULT));
  ok(cuEventRecord(begin, stream));
  ok(cuMemsetD32Async(x, 1, kThreads, stream));
  ok(launch(add, kThreads, stream, x, 2));
  ok(cuEventRecord(end, stream));
  int calls = 0;
  ok(cuLaunchHostFunc(stream, note_call, &calls));
  ok(cuStreamSynchronize(stream));
  ok(cuStreamQuery(stream));
  expect_equal(calls, 1);
  float milliseconds = 0;
  ok(cuEventElapsedTime(&milliseconds, begin, end));
  expect_true(milliseconds > 0);
  std::array<int, kThreads> host{};
  ok(cuMemcpyDtoH(host.data(), x, kBytes));
  expect_equal(host[31], 3);
  CUcontext owner = nullptr;
  ok(cuStreamGetCtx(stream, &owner));
  expect_true(owner == context.handle);
  // A captured stream becomes a graph, and so do nodes that are added one by one.
  CUgraph graph = nullptr;
  CUgraphExec executable = nullptr;
  ok(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
  ok(launch(set, kThreads, stream, x, 20));
  ok(launch(add, kThreads, stream, x, 2));
  ok(cuStreamEndCapture(stream, &graph));
  std::size_t nodes = 0;
  ok(cuGraphGetNodes(graph, nullptr, &nodes));
  expect_equal(nodes, 2u);
  ok(cuGraphInstantiate(&executable, graph, 0));
  ok(cuGraphLaunch(executable, stream));
  ok(cuStreamSynchronize(stream));
  ok(cuMemcpyDtoH(host.data(), x, kBytes));
  expect_equal(host[0], 22);
  ok(cuGraphExecDestroy(executable));
  ok(cuGraphDestroy(graph));
  ok(cuEventDestroy(begin));
  ok(cuEventDestroy(end));
  ok(cuStreamDestroy(stream));
  if (is_on_warpbook()) expect(cuStreamSynchronize(stream), CUDA_ERROR_INVALID_HANDLE);
  ok(cuMemFree(x));
}

void graph_nodes() {
  const OwnContext context;
  const CUmodule module = load_kernels();
  CUgraph graph = nullptr;
  CUgraphExec executable = nullptr;
  CUgraphNode fill = nullptr, kernel = nullptr, copy = nullptr;
  CUdeviceptr x = 0;
  std::array<int, kThreads> host{};
  ok(cuMemAlloc(&x, kBytes));
  ok(cuGraphCreate(&graph, 0));
  CUDA_MEMSET_NODE_PARAMS memset{x, 0, 4, 4, kThreads, 1};
  ok(cuGraphAddMemsetNode(&fill, graph, nullptr, 0, &memset, context.handle));
  int three = 3;
  std::array<void*, 2> arguments = {&x, &three};
  CUDA_KERNEL_NODE_PARAMS launched{};
  launched.func = kernel_of(module, "add_to");
  launched.gridDimX = launched.gridDimY = launched.gridDimZ = 1;
  launched.blockDimX = kThreads;
  launched.blockDimY = launched.blockDimZ = 1;
  launched.kernelParams = arguments.data();
  ok(cuGraphAddKernelNode(&kernel, graph, &fill, 1, &launched));
  CUDA_MEMCPY3D copied{};
  copied.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  copied.srcDevice = x;
  copied.dstMemoryType = CU_MEMORYTYPE_HOST;
  copied.dstHost = host.data();
  copied.WidthInBytes = kBytes;
  copied.Height = copied.Depth = 1;
  ok(cuGraphAddMemcpyNode(&copy, graph, &kernel, 1, &copied, context.handle));
  ok(cuGraphInstantiate(&executable, graph, 0));
  ok(cuGraphLaunch(executable, nullptr));
  ok(cuCtxSynchronize());
  expect_equal(host[31], 7);
  CUDA_KERNEL_NODE_PARAMS known{};
  ok(cuGraphKernelNodeGetParams(kernel, &known));
  expect_true(known.func == launched.func && known.blockDimX == kThreads);
  ok(cuGraphExecDestroy(executable));
  ok(cuGraphDestroy(graph));
  ok(cuMemFree(x));
}

void textures() {
  const OwnContext context;
  const CUmodule module = load_kernels();
  CUarray array = nullptr;
  const CUDA_ARRAY_DESCRIPTOR wanted{4, 2, CU_AD_FORMAT_FLOAT, 1};
  ok(cuArrayCreate(&array, &wanted));
  CUDA_ARRAY_DESCRIPTOR known{};
  ok(cuArrayGetDescriptor(&known, array));
  expect_true(known.Width == 4 && known.Height == 2 && known.Format == CU_AD_FORMAT_FLOAT);
  const std::array<float, 8> texels = {0, 1, 2, 3, 4, 5, 6, 7};
  CUDA_MEMCPY2D copy{};
  copy.srcMemoryType = CU_MEMORYTYPE_HOST;
  copy.srcHost = texels.data();
  copy.srcPitch = copy.WidthInBytes = 4 * sizeof(float);
  copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  copy.dstArray = array;
  copy.Height = 2;
  ok(cuMemcpy2D(&copy));
  CUDA_RESOURCE_DESC resource{};
  resource.resType = CU_RESOURCE_TYPE_ARRAY;
  resource.res.array.hArray = array;
  CUDA_TEXTURE_DESC sampling{};
  CUtexObject texture = 0;
  ok(cuTexObjectCreate(&texture, &resource, &sampling, nullptr));
  CUdeviceptr out = 0;
  ok(cuMemAlloc(&out, sizeof texels));
  int width = 4;
  std::array<void*, 3> arguments = {&texture, &out, &width};
  ok(cuLaunchKernel(kernel_of(module, "sample_2d"), 1, 1, 1, 4, 2, 1, 0, nullptr, arguments.data(),
                    nullptr));
  std::array<float, 8> got{};
  ok(cuMemcpyDtoH(got.data(), out, sizeof got));
  expect_true(got == texels);
  ok(cuTexObjectDestroy(texture));
  ok(cuMemFree(out));
  ok(cuArrayDestroy(array));
}

/// PTX that declares what it does not have, and the PTX that has it.
constexpr const char* kUser = R"(.version 9.0
.target sm_90
.address_size 64
.extern .func (.param .b32 r) answer();
.visible .entry ask(.param .u64 out)
{
  .reg .b64 %rd<2>;
  .reg .b32 %r<2>;
  .param .b32 got;
  ld.param.u64 %rd1, [out];
  call (got), answer, ();
  ld.param.b32 %r1, [got];
  st.global.u32 [%rd1], %r1;
  ret;
}
)";
constexpr const char* kUsed = R"(.version 9.0
.target sm_90
.address_size 64
.visible .func (.param .b32 r) answer()
{
  .reg .b32 %r<2>;
  mov.b32 %r1, 42;
  st.param.b32 [r], %r1;
  ret;
}
)";

void linking() {
  const OwnContext context;
  CUlinkState state = nullptr;
  void* linked = nullptr;
  std::size_t bytes = 0;
  std::string user = kUser, used = kUsed;
  ok(cuLinkCreate(0, nullptr, nullptr, &state));
  ok(cuLinkAddData(state, CU_JIT_INPUT_PTX, user.data(), user.size(), "user", 0, nullptr, nullptr));
  if (is_on_warpbook()) {
    expect(cuLinkAddData(state, CU_JIT_INPUT_OBJECT, user.data(), user.size(), "user", 0, nullptr,
                         nullptr),
           CUDA_ERROR_NOT_SUPPORTED);
  }
  ok(cuLinkAddData(state, CU_JIT_INPUT_PTX, used.data(), used.size(), "used", 0, nullptr, nullptr));
  ok(cuLinkComplete(state, &linked, &bytes));
  CUmodule module = nullptr;
  ok(cuModuleLoadData(&module, linked));
  ok(cuLinkDestroy(state));
  CUdeviceptr out = 0;
  int got = 0;
  ok(cuMemAlloc(&out, sizeof got));
  ok(launch(kernel_of(module, "ask"), 1, nullptr, out));
  ok(cuMemcpyDtoH(&got, out, sizeof got));
  expect_equal(got, 42);
  ok(cuMemFree(out));
}

void libraries() {
  const OwnContext context;
  CUlibrary library = nullptr;
  CUkernel kernel = nullptr;
  CUfunction function = nullptr;
  ok(cuLibraryLoadData(&library, kernels_text.c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0));
  ok(cuLibraryGetKernel(&kernel, library, "set_to"));
  expect(cuLibraryGetKernel(&kernel, library, "no_such_kernel"), CUDA_ERROR_NOT_FOUND);
  ok(cuKernelGetFunction(&function, kernel));
  CUdeviceptr x = 0;
  ok(cuMemAlloc(&x, kBytes));
  ok(launch(function, kThreads, nullptr, x, 5));
  ok(launch(reinterpret_cast<CUfunction>(kernel), kThreads, nullptr, x, 6));
  std::array<int, kThreads> host{};
  ok(cuMemcpyDtoH(host.data(), x, kBytes));
  expect_equal(host[31], 6);
  ok(cuMemFree(x));
  ok(cuLibraryUnload(library));
  if (is_on_warpbook()) expect(cuLibraryUnload(library), CUDA_ERROR_INVALID_HANDLE);
}

/// Functions by their names, in this library and in the one that the loader finds under the driver's name.
void entry_points() {
  void* function = nullptr;
  CUdriverProcAddressQueryResult status{};
  ok(cuGetProcAddress("cuMemAlloc", &function, 13000, 0, &status));
  expect_true(function == reinterpret_cast<void*>(&cuMemAlloc));
  expect_true(status == CU_GET_PROC_ADDRESS_SUCCESS);
  ok(cuGetProcAddress("cuNoSuchFunction", &function, 13000, 0, &status));
  expect_true(function == nullptr && status == CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
  ok(cuGetProcAddress("cuCtxCreate", &function, 1000, 0, &status));
  expect_true(function == nullptr && status == CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT);
  expect(cuGetProcAddress("cuInit", &function, 99000, 0, &status), CUDA_ERROR_INVALID_VALUE);
  void* const library = ::dlopen("libcuda.so.1", RTLD_NOW);
  expect_true(library != nullptr);
  expect_true(library && ::dlsym(library, "cuInit") == reinterpret_cast<void*>(&cuInit));
}

void absent() {
  ok(cuInit(0));
  expect(cuFlushGPUDirectRDMAWrites(CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TARGET_CURRENT_CTX,
                                    CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TO_OWNER),
         is_on_warpbook() ? CUDA_ERROR_NOT_SUPPORTED : CUDA_ERROR_INVALID_CONTEXT);
}

}  // namespace

int main(int argc, char** argv) {
  return main_of_driver(argc, argv,
                        {{"initialisation", initialisation},
                         {"devices", devices},
                         {"contexts", contexts},
                         {"destroyed-elsewhere", destroyed_elsewhere},
                         {"primary-context", primary_context},
                         {"modules", modules},
                         {"messages-of-compilers", messages_of_compilers},
                         {"variables", variables},
                         {"memory", memory},
                         {"memory-of-both", memory_of_both},
                         {"launches", launches},
                         {"failing-kernel", failing_kernel},
                         {"streams", streams},
                         {"graph-nodes", graph_nodes},
                         {"textures", textures},
                         {"linking", linking},
                         {"libraries", libraries},
                         {"entry-points", entry_points},
                         {"absent", absent}});
}
