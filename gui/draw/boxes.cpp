#include "gui/draw/boxes.hpp"

#include <cstdint>
#include <cstring>
#include <vector>

#include <epoxy/gl.h>

namespace warpbook::gui {
namespace {
// A box is drawn as three faces of two triangles each. All three faces share their corner (0, 0). The box's outline runs along
// the far edges of the faces, and fades out within a pixel.
constexpr const char* kVertexShader = R"(#version 330 core
layout(location = 0) in vec3 corner;
layout(location = 1) in vec4 colour;
uniform vec2 origin, axes[3], display_corner, display_size;
uniform vec3 low;
uniform float size;
out vec2 at;
flat out vec4 paint;
const vec2 kQuad[6] = vec2[6](vec2(0, 0), vec2(1, 0), vec2(1, 1), vec2(0, 0), vec2(1, 1), vec2(0, 1));
const float kLight[3] = float[3](0.72, 1.0, 0.86);
void main() {
  int face = gl_VertexID / 6;
  at = kQuad[gl_VertexID % 6];
  int first = (face + 1) % 3, second = (face + 2) % 3;
  vec3 near_corner = vec3(1) - low;
  vec3 point = near_corner;
  point[first] = mix(near_corner[first], 1 - near_corner[first], at.x);
  point[second] = mix(near_corner[second], 1 - near_corner[second], at.y);
  point = corner + point * size;
  vec2 place = origin + point.x * axes[0] + point.y * axes[1] + point.z * axes[2];
  vec2 share = (place - display_corner) / display_size;
  gl_Position = vec4(share.x * 2 - 1, 1 - share.y * 2, 0, 1);
  paint = vec4(colour.rgb * kLight[face], colour.a);
}
)";
constexpr const char* kFragmentShader = R"(#version 330 core
in vec2 at;
flat in vec4 paint;
out vec4 result;
void main() {
  vec2 pixel = max(fwidth(at), vec2(1e-6));
  vec2 inside = clamp((vec2(1) - at) / pixel, 0.0, 1.0);
  vec2 seam = clamp(at / pixel, 0.0, 1.0);
  float shade = mix(0.82, 1.0, seam.x * seam.y);
  result = vec4(paint.rgb * shade, paint.a * inside.x * inside.y);
}
)";

GLuint compiled(GLenum kind, const char* source) {
  const GLuint shader = glCreateShader(kind);
  glShaderSource(shader, 1, &source, nullptr);
  glCompileShader(shader);
  return shader;
}

GLuint linked() {
  const GLuint vertex = compiled(GL_VERTEX_SHADER, kVertexShader),
               fragment = compiled(GL_FRAGMENT_SHADER, kFragmentShader), made = glCreateProgram();
  glAttachShader(made, vertex);
  glAttachShader(made, fragment);
  glLinkProgram(made);
  glDeleteShader(vertex);
  glDeleteShader(fragment);
  GLint done = GL_FALSE;
  glGetProgramiv(made, GL_LINK_STATUS, &done);
  if (done == GL_TRUE) return made;
  glDeleteProgram(made);
  return 0;
}
}  // namespace

/// The data of a command of the draw list; the boxes follow it.
struct BoxPainter::Batch {
  BoxPainter* painter;
  BoxView view;
  std::uint32_t count;
};

BoxPainter::~BoxPainter() {
  if (program_ == 0) return;
  glDeleteProgram(program_);
  glDeleteVertexArrays(1, &array_);
  glDeleteBuffers(1, &buffer_);
}

void BoxPainter::add(ImDrawList* list, const BoxView& view, std::span<const Box> boxes) {
  const ImDrawCallback reset = ImGui::GetPlatformIO().DrawCallback_ResetRenderState;
  if (boxes.empty() || !reset) return;  // without a renderer there is no callback
  const Batch batch{this, view, static_cast<std::uint32_t>(boxes.size())};
  std::vector<std::byte> bytes(sizeof batch + boxes.size_bytes());
  std::memcpy(bytes.data(), &batch, sizeof batch);
  std::memcpy(bytes.data() + sizeof batch, boxes.data(), boxes.size_bytes());
  list->AddCallback(&BoxPainter::render, bytes.data(), bytes.size());
  list->AddCallback(reset);
}

void BoxPainter::render(const ImDrawList*, const ImDrawCmd* command) {
  const auto* bytes = static_cast<const std::byte*>(command->UserCallbackData);
  Batch batch;
  std::memcpy(&batch, bytes, sizeof batch);
  batch.painter->draw(batch, bytes + sizeof batch, command->ClipRect);
}

bool BoxPainter::make() {
  if (program_ != 0 || refused_) return program_ != 0;
  program_ = linked();
  refused_ = program_ == 0;
  if (refused_) return false;
  const auto uniform = [&](const char* name) { return glGetUniformLocation(program_, name); };
  places_ = {uniform("origin"), uniform("axes"),           uniform("low"),
             uniform("size"),   uniform("display_corner"), uniform("display_size")};
  glGenVertexArrays(1, &array_);
  glGenBuffers(1, &buffer_);
  return true;
}

void BoxPainter::draw(const Batch& batch, const void* boxes, const ImVec4& clip) {
  if (!make()) return;
  const ImDrawData& frame = *ImGui::GetDrawData();
  const ImVec2 scale = frame.FramebufferScale;
  const auto pixels = [](float points) { return static_cast<GLint>(points); };
  const float left = (clip.x - frame.DisplayPos.x) * scale.x,
              right = (clip.z - frame.DisplayPos.x) * scale.x,
              top = (clip.y - frame.DisplayPos.y) * scale.y,
              bottom = (clip.w - frame.DisplayPos.y) * scale.y;
  if (right <= left || bottom <= top) return;
  glScissor(pixels(left), pixels(frame.DisplaySize.y * scale.y - bottom), pixels(right - left),
            pixels(bottom - top));

  glUseProgram(program_);
  const BoxView& view = batch.view;
  glUniform2f(places_.origin, view.origin.x, view.origin.y);
  glUniform2fv(places_.axes, 3, &view.axes[0].x);
  glUniform3f(places_.low, view.low[0] ? 1.0f : 0.0f, view.low[1] ? 1.0f : 0.0f,
              view.low[2] ? 1.0f : 0.0f);
  glUniform1f(places_.size, view.size);
  glUniform2f(places_.display_corner, frame.DisplayPos.x, frame.DisplayPos.y);
  glUniform2f(places_.display_size, frame.DisplaySize.x, frame.DisplaySize.y);

  glBindVertexArray(array_);
  glBindBuffer(GL_ARRAY_BUFFER, buffer_);
  glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(batch.count * sizeof(Box)), boxes,
               GL_STREAM_DRAW);
  constexpr auto* kStart = static_cast<const std::byte*>(nullptr);
  glEnableVertexAttribArray(0);
  glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, sizeof(Box), kStart + offsetof(Box, x));
  glVertexAttribDivisor(0, 1);
  glEnableVertexAttribArray(1);
  glVertexAttribPointer(1, 4, GL_UNSIGNED_BYTE, GL_TRUE, sizeof(Box),
                        kStart + offsetof(Box, colour));
  glVertexAttribDivisor(1, 1);
  glDrawArraysInstanced(GL_TRIANGLES, 0, 18, static_cast<GLsizei>(batch.count));
}

}  // namespace warpbook::gui
