// Runs one texture or surface instruction on a simulated GPU, a lane a row of operands, through device.hpp's own calls.
#pragma once

#include <catch2/catch_test_macros.hpp>

#include <array>
#include <bit>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "device/device.hpp"

namespace warpbook::device::tests {

/// What an instruction finds in %f0 to %f11 and, the same bits, in %r0 to %r11; in %rd0 to %rd3 the pairs of the last
/// eight words.
using Row = std::array<std::uint32_t, 12>;
using Results = std::array<std::uint32_t, 4>;

inline std::uint32_t word(float value) { return std::bit_cast<std::uint32_t>(value); }
inline std::uint32_t word(std::int32_t value) { return static_cast<std::uint32_t>(value); }
inline float real(std::uint32_t bits) { return std::bit_cast<float>(bits); }

class TextureBench {
 public:
  TextureBench() : device(make_simulated_device(*find_gpu("h200"))) {}

  template <class T>
  Array array(const ArrayDescription& description, const std::vector<T>& values,
              std::uint32_t level = 0) {
    const auto a = device->create_array(description);
    if (!a) FAIL(a.error().english());
    fill(*a, values, level);
    return *a;
  }
  template <class T>
  void fill(Array a, const std::vector<T>& values, std::uint32_t level = 0) {
    if (values.empty()) return;
    ArrayRegion region;
    region.level = level;
    const auto done = device->copy_in_array(a, std::as_bytes(std::span(values)), region).wait();
    if (!done) FAIL(done.error().english());
  }
  template <class T>
  std::vector<T> contents(Array a, std::size_t count, std::uint32_t level = 0) {
    std::vector<T> values(count);
    ArrayRegion region;
    region.level = level;
    const auto done =
        device->copy_out_array(std::as_writable_bytes(std::span(values)), a, region).wait();
    if (!done) FAIL(done.error().english());
    return values;
  }
  std::uint64_t texture(const TextureDescription& description) {
    const auto t = device->create_texture(description);
    if (!t) FAIL(t.error().english());
    return t->handle;
  }
  std::uint64_t surface(Array a, std::uint32_t level = 0) {
    const auto s = device->create_surface(a, level);
    if (!s) FAIL(s.error().english());
    return s->handle;
  }
  template <class T>
  Pointer buffer(const std::vector<T>& values) {
    const auto p = device->allocate("buffer", element_type_of<T>::value, values.size());
    REQUIRE(p);
    REQUIRE(device->copy_in(*p, std::as_bytes(std::span(values))).wait());
    return *p;
  }

  /// The record of `instruction`, which leaves %d0 to %d3 (b32), with the results of all rows in `results`. The object
  /// of row i is handles[i % handles.size()], in %rd9.
  Expected<std::shared_ptr<const LaunchRecord>> try_run(const std::string& instruction,
                                                        const std::vector<std::uint64_t>& handles,
                                                        const std::vector<Row>& rows) {
    std::string text =
        ".version 9.0\n.target sm_90\n.address_size 64\n"
        ".visible .entry k(.param .u64 in, .param .u64 out, .param .u64 objects, .param .u32 n, "
        ".param .u32 count)\n{\n"
        ".reg .pred %p<4>;\n.reg .f32 %f<12>;\n.reg .b32 %r<12>, %d<4>, %t<8>;\n.reg .b64 %rd<10>, "
        "%x<4>;\n"
        ".reg .b16 %h<8>;\n.reg .v4 .b32 %v;\n"
        "mov.u32 %t0, %ctaid.x;\nmov.u32 %t1, %ntid.x;\nmov.u32 %t2, %tid.x;\nmad.lo.u32 %t0, %t0, "
        "%t1, %t2;\n"
        "ld.param.u32 %t1, [n];\nsetp.ge.u32 %p3, %t0, %t1;\n@%p3 bra done;\n"
        "ld.param.u32 %t1, [count];\nrem.u32 %t2, %t0, %t1;\nld.param.u64 %x0, [objects];\n"
        "mad.wide.u32 %x0, %t2, 8, %x0;\nld.global.b64 %rd9, [%x0];\n"
        "ld.param.u64 %x0, [in];\nmad.wide.u32 %x0, %t0, 48, %x0;\n";
    for (int k = 0; k < 12; ++k) {
      text += fmt::format("ld.global.b32 %r{0}, [%x0+{1}];\nmov.b32 %f{0}, %r{0};\n", k, 4 * k);
    }
    for (int k = 0; k < 4; ++k)
      text += fmt::format("mov.b64 %rd{}, {{%r{}, %r{}}};\nmov.b32 %d{}, 0;\n", k, 4 + 2 * k,
                          5 + 2 * k, k);
    text +=
        "setp.ne.b32 %p0, %t0, %t0;\nmov.b16 %h0, 0;\nmov.b16 %h1, 0;\nmov.b16 %h2, 0;\nmov.b16 "
        "%h3, 0;\n";
    text += instruction;
    text +=
        "\nld.param.u64 %x1, [out];\nmad.wide.u32 %x1, %t0, 16, %x1;\n"
        "st.global.v4.b32 [%x1], {%d0, %d1, %d2, %d3};\ndone:\nret;\n}\n";
    auto program = std::make_shared<Program>();
    program->name = "test.ptx";
    program->ptx = text;
    const auto module = device->load(program);
    if (!module) return tl::unexpected(module.error());
    const Pointer in =
        buffer(std::vector<std::uint32_t>(rows[0].data(), rows[0].data() + 12 * rows.size()));
    const Pointer out = buffer(std::vector<std::uint32_t>(4 * rows.size()));
    const Pointer objects = buffer(handles);
    Launch launch;
    launch.module = *module;
    launch.kernel = "k";
    launch.grid = {static_cast<std::uint32_t>((rows.size() + 63) / 64), 1, 1};
    launch.block = {64, 1, 1};
    launch.host_threads = host_threads;
    launch.arguments = {Argument::pointer(in), Argument::pointer(out), Argument::pointer(objects),
                        Argument::of(static_cast<std::uint32_t>(rows.size())),
                        Argument::of(static_cast<std::uint32_t>(handles.size()))};
    auto record = device->launch(std::move(launch)).wait();
    results.resize(rows.size());
    REQUIRE(device->copy_out(std::as_writable_bytes(std::span(results)), out).wait());
    for (const Pointer p : {in, out, objects}) REQUIRE(device->release(p));
    return record;
  }
  /// A run without any error.
  std::vector<Results> run(const std::string& instruction, std::uint64_t handle,
                           const std::vector<Row>& rows) {
    const auto record = try_run(instruction, {handle}, rows);
    if (!record) FAIL(instruction << ": " << record.error().english());
    if ((*record)->error) FAIL(instruction << ": " << (*record)->error->english());
    last = *record;
    return results;
  }
  /// The code of the error that the run, or the loading, ends with.
  Error failure_of(const std::string& instruction, const std::vector<std::uint64_t>& handles,
                   const std::vector<Row>& rows = {Row{}}) {
    const auto record = try_run(instruction, handles, rows);
    if (!record) return record.error();
    if (!(*record)->error) FAIL(instruction << " raised no error");
    last = *record;
    return *(*record)->error;
  }

  std::unique_ptr<Device> device;
  std::vector<Results> results;
  std::shared_ptr<const LaunchRecord> last;
  std::uint32_t host_threads = 1;
};

}  // namespace warpbook::device::tests
